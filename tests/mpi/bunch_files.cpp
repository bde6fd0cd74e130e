// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <trackplex/beam/bunch/sorted_particles.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/table_csv.hpp>
#include <trackplex/io/tables/table_hdf5.hpp>
#include <trackplex/mpi/communicator.hpp>
#include <vector>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

/// A folder of all ranks, removed at the end.
class SharedFolder {
 public:
  explicit SharedFolder(const mpi::Communicator& all) : all_(all) {
    int pid = ::getpid();
    all.broadcast(std::span(&pid, 1));
    path_ = fs::temp_directory_path() / ("trackplex_ranks_" + std::to_string(pid));
    if (all.is_first()) fs::create_directories(path_);
    all.barrier();
  }
  ~SharedFolder() {
    all_.barrier();
    if (all_.is_first()) fs::remove_all(path_);
  }
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  const mpi::Communicator& all_;
  fs::path path_;
};

/// Particles with numbers that are not in order, of which some are the same.
ParticleTable particles_of(int n, bool has_lost) {
  ParticleTable table(n, 200.);
  table.reference.path_length = 12.5;
  for (std::size_t i = 0; i < std::size_t(n); ++i) {
    table.ids[i] = std::int64_t(i * 7919 % 20011) - 7;
    for (int c = 0; c < n_coordinates; ++c)
      table.v[c][i] = 1e-3 * (c + 1) / double(1 + i * 31 % 1009);
    if (has_lost && i % 11 == 3) {
      table.losses[i] = {std::int32_t(i), 5};
      table.v[x][i] = std::numeric_limits<double>::infinity();
    }
  }
  return table;
}

ParticleTable share_of(const ParticleTable& table, const Ranks& ranks) {
  const Share share(table.size(), reduce_block, &ranks);
  ParticleTable part;
  part.reference = table.reference;
  const auto cut = [&](const auto& from, auto& to) {
    to.assign(from.begin() + share.first, from.begin() + share.first + share.n);
  };
  for (int c = 0; c < n_coordinates; ++c) cut(table.v[c], part.v[c]);
  cut(table.ids, part.ids);
  cut(table.losses, part.losses);
  return part;
}

std::vector<std::string> endings() {
  if (io::has_hdf5) return {".csv", ".sdds", ".h5", ".openpmd.h5"};
  return {".csv", ".sdds"};
}

std::string text_of(const ParticleTable& particles) {
  return io::table_csv(io::bunch_table(particles));
}

const io::Metadata metadata{{"program", "test"}, {"input", "{\"a\": 1}"}};

}  // namespace

TEST_CASE("Ranks write the bytes that one process writes, and read them", "[mpi]") {
  const mpi::Communicator all;
  const SharedFolder folder(all);
  for (const auto& ending : endings())
    for (const int n : {0, 1, 5000, 45000})
      for (const bool has_lost : {false, true}) {
        CAPTURE(ending, n, has_lost);
        const auto one = folder / ("one" + ending), many = folder / ("many" + ending);
        const auto particles = particles_of(n, has_lost);
        if (all.is_first()) {
          io::write_bunch(one, particles, metadata);
          write_file(many, std::string(20'000'000, 'x'));  // is emptied
        }
        io::write_bunch(many, share_of(particles, all), metadata, &all);
        CHECK(read_file(many) == read_file(one));
        const bool is_openpmd = ending == ".openpmd.h5";  // has the coordinates, too
        if (is_openpmd)
          CHECK(fingerprint_of(io::read_bunch(one, {}, &all), &all) ==
                fingerprint_of(io::read_bunch(one)));
        for (const double p0 : {200., 0.}) {
          if (n == 0 && (p0 == 0. || is_openpmd)) continue;
          const auto whole = io::read_bunch(one, {.p0 = p0, .path_length = 12.5});
          const auto own = io::read_bunch(one, {.p0 = p0, .path_length = 12.5}, &all);
          CHECK(own.size() == Share(whole.size(), reduce_block, &all).n);
          CHECK(own.reference.p0 == whole.reference.p0);
          CHECK(fingerprint_of(own, &all) == fingerprint_of(whole));
        }
        all.barrier();
      }
}

TEST_CASE("Ranks write a bunch whose lost particles are on one of them", "[mpi]") {
  const mpi::Communicator all;
  const SharedFolder folder(all);
  auto particles = particles_of(20000, false);
  particles.losses.back() = {3, 4};
  io::write_bunch(folder / "a.csv", share_of(particles, all), {}, &all);
  CHECK(read_file(folder / "a.csv") == text_of(particles));
}

TEST_CASE("Rows without numbers have the number of their place in the file", "[mpi]") {
  const mpi::Communicator all;
  const SharedFolder folder(all);
  std::string text = "\xef\xbb\xbf# " + std::string(100000, 'c') + "\r\nx,xp,y,yp,s,delta\r\n";
  for (int i = 0; i < 9000; ++i) {
    if (i % 100 == 0) text += "# a comment\n\n";
    text += std::to_string(i) + ", 0 ,0,0,0,0\r\n";
  }
  if (all.is_first()) write_file(folder / "a.csv", text.substr(0, text.size() - 2));
  all.barrier();
  const auto own = io::read_bunch(folder / "a.csv", {.p0 = 200.}, &all);
  const auto whole = io::parse_bunch_csv(text, "a.csv", {.p0 = 200.});
  CHECK(fingerprint_of(own, &all) == fingerprint_of(whole));
  CHECK((own.size() == 0 || own.ids[0] == Share(9000, reduce_block, &all).first));
}

namespace {

/// All ranks refuse a text, with the message of one process.
void check_refused_alike(const mpi::Communicator& all, const SharedFolder& folder,
                         const std::string& text, const std::string& words,
                         const io::BunchOptions& options = {.p0 = 200.}) {
  const auto path = folder / "refused.csv";
  if (all.is_first()) write_file(path, text);
  all.barrier();
  std::string expected;
  try {
    io::read_bunch(path, options);
  } catch (const Error& error) {
    expected = error.what();
  }
  CHECK_THAT(expected, ContainsSubstring(words));
  CHECK_THROWS_WITH(io::read_bunch(path, options, &all), expected);
  all.barrier();
}

}  // namespace

TEST_CASE("Damaged files are refused by all ranks, with the line", "[mpi]") {
  const mpi::Communicator all;
  const SharedFolder folder(all);
  const std::string good = text_of(particles_of(9000, true));
  const auto line = [&](int number) {  // where it begins
    std::size_t at = 0;
    for (int i = 1; i < number; ++i) at = good.find('\n', at) + 1;
    return at;
  };
  const auto with = [&](int number, const std::string& row) {
    return good.substr(0, line(number)) + row + "\n" + good.substr(line(number + 1));
  };
  check_refused_alike(all, folder, with(8990, "x"), "refused.csv: line 8990: 1 values");
  check_refused_alike(all, folder, with(4000, "1,2,3,4,5,6,7,8,x,-1,-1"),
                      "line 4000, delta: 'x' is no number");
  check_refused_alike(all, folder, with(8000, "1,nan,3,4,5,0,200,0,0,-1,-1"),
                      "line 8000, x: it is not finite");
  check_refused_alike(all, folder, with(8000, "1,2,3,4,5,0,200,0,0,-1,7"), "line 8000, lost_turn");
  check_refused_alike(all, folder, with(5000, "1,2,3,4,5,0,100,0,0,-1,-1"),
                      "line 5000, p: momentum and delta do not");
  check_refused_alike(all, folder, with(3000, "1,\"2\n\",3,4,5,0,100,0,0,-1,-1"),
                      "line 3000: a quotation mark is not closed");
  check_refused_alike(all, folder, good.substr(0, good.size() - 4), "line 9001");
  check_refused_alike(all, folder, good.substr(0, line(2)), "no particles", {});
  check_refused_alike(all, folder, "", "line 1: the names of the columns are missing");
  check_refused_alike(all, folder, "x,y\n1,2\n", "the column 'xp' is missing");
  // two faults: the first one is told
  auto two = with(8990, "x");
  two.replace(line(2000), 1, "y");
  check_refused_alike(all, folder, two, "line 2000, id: 'y");
}

TEST_CASE("Files that cannot be opened or written are refused by all ranks", "[mpi]") {
  const mpi::Communicator all;
  const SharedFolder folder(all);
  const auto particles = share_of(particles_of(9000, false), all);
  for (const auto& ending : endings()) {
    CAPTURE(ending);
    test::check_refused<InputError>([&] { io::read_bunch(folder / ("none" + ending), {}, &all); },
                                    "none" + ending);
    test::check_refused<Error>(
        [&] { io::write_bunch(folder / ("none/a" + ending), particles, {}, &all); },
        "a" + ending + ": cannot be written");
    if (!fs::exists("/dev/full")) continue;
    const auto full = folder / ("full" + ending);
    if (all.is_first()) fs::create_symlink("/dev/full", full);
    all.barrier();
    CHECK_THROWS_AS(io::write_bunch(full, particles, {}, &all), Error);
  }
  test::check_refused<InputError>([&] { io::read_bunch(folder / "", {}, &all); }, "is a folder");
  auto damaged = particles;
  if (all.rank() + 1 == all.size()) damaged.ids.push_back(1);
  test::check_refused<UsageError>([&] { io::write_bunch(folder / "a.csv", damaged, {}, &all); },
                                  "different lengths");
}

#ifdef TRACKPLEX_HAS_HDF5

TEST_CASE("Truncated HDF5 is refused by all ranks", "[mpi]") {
  const mpi::Communicator all;
  const SharedFolder folder(all);
  const auto path = folder / "a.h5";
  if (all.is_first()) {
    io::write_bunch(path, particles_of(50000, false));
    const auto bytes = read_file(path);
    write_file(path, bytes.substr(0, bytes.size() / 2));
    write_file(folder / "damaged.h5", [&] {
      auto changed = bytes;
      for (std::size_t at = changed.size() / 2; at < changed.size() / 2 + 8; ++at)
        changed[at] = char(~changed[at]);
      return changed;
    }());
  }
  all.barrier();
  test::check_refused<InputError>([&] { io::read_bunch(path, {.p0 = 200.}, &all); },
                                  "a.h5: cannot be opened as HDF5");
  test::check_refused<InputError>(
      [&] { io::read_bunch(folder / "damaged.h5", {.p0 = 200.}, &all); }, "cannot be read");
}

#endif

TEST_CASE("Failures of files name rank, call and file", "[mpi]") {
  const mpi::Communicator all;
  const SharedFolder folder(all);
  const std::string rank = "rank " + std::to_string(all.rank()) + " of";
  CHECK_THROWS_WITH(mpi::InputFile(all.get(), folder / "none"),
                    ContainsSubstring(rank) && ContainsSubstring("MPI_File_open of") &&
                        ContainsSubstring("none' failed"));
  if (all.is_first()) write_file(folder / "short", "12345");
  all.barrier();
  const auto file = all.open_file(folder / "short");
  CHECK(file->size() == 5);
  std::array<std::byte, 3> bytes{};
  file->read_at(1, bytes);
  CHECK(bytes[2] == std::byte('4'));
  CHECK_THROWS_WITH(file->read_at(3, bytes), ContainsSubstring("short: ends too early"));
}

TEST_CASE("What one rank throws, all throw", "[mpi]") {
  const mpi::Communicator all;
  for (int failing = 0; failing < all.size(); ++failing) {
    RankErrors errors(&all);
    CHECK_NOTHROW(errors.check());
    errors.run([&] {
      if (all.rank() >= failing)
        throw InputError({"file"}, "wrong", "rank " + std::to_string(all.rank()));
    });
    CHECK_THROWS_AS(errors.check(), InputError);
    CHECK_THROWS_WITH(errors.check(), "file: wrong (rank " + std::to_string(failing) + ")");
  }
  RankErrors errors(&all);
  errors.run([&] {
    if (all.rank() + 1 == all.size()) throw std::bad_alloc();
  });
  CHECK_THROWS(errors.check());
}
