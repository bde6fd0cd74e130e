// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <filesystem>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/io/elegant/elegant_lattice.hpp>
#include <trackplex/io/sdds/sdds.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/watch_files.hpp>

#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;

namespace {

using Space = HostExecutor;

/// Two particles in a folder of the test, tracked three turns.
std::filesystem::path watched(const BeamLine& line) {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_watch_files";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const Space exec;
  ParticleTable table(2, 200.);
  table.v[xp] = {1e-3, -3e-3};
  auto bunch = upload<double>(exec, table);
  const io::WatchFiles<double, Space> watches(exec, line, folder, "root");
  LineTracker<double, Space>(exec, line, {0., 0.}, watches.stops()).track(bunch, 3, watches);
  watches.write();
  return folder;
}

BeamLine line_of(const std::string& watch) {
  return io::parse_elegant_lattice("d: DRIF, L=2\nw: WATCH, " + watch + "\nl: LINE=(d, w, d)", "x")
      .expand();
}

}  // namespace

TEST_CASE("watches write particles after their place", "[io]") {
  const auto folder = watched(line_of("FILENAME=\"%s.w1\", INTERVAL=2"));
  CHECK(!std::filesystem::exists(folder / "root.w1_turn1.csv"));
  const auto first = io::read_bunch(folder / "root.w1_turn0.csv", {.p0 = 200., .path_length = 2.});
  const auto third = io::read_bunch(folder / "root.w1_turn2.csv", {.p0 = 200., .path_length = 10.});
  CHECK(first.v[x] == std::vector<double>{2e-3, -6e-3});
  CHECK(std::abs(third.v[x][0] - 1e-2) < 1e-16);
  CHECK(std::abs(third.v[s][0] - 5e-6) < 1e-14);
}

TEST_CASE("watches write moments, a row for each turn", "[io]") {
  const auto folder = watched(line_of("FILENAME=\"m.csv\", MODE=\"parameters\", START_PASS=1"));
  const std::string text = read_file(folder / "m.csv");
  CHECK(text.find("turn,particles,p0,path[m],mean_x[m]") != std::string::npos);
  CHECK(text.find("\n1,2,200,6,-0.006") != std::string::npos);
  CHECK(text.find("\n2,2,200,10,-0.01,") != std::string::npos);
  CHECK(text.find("\n0,") == std::string::npos);
}

TEST_CASE("watches write SDDS with the columns of elegant", "[io]") {
  const auto folder = watched(line_of("FILENAME=\"%s.sdds\""));
  const auto particles = io::read_sdds(folder / "root_turn2.sdds");
  CHECK(*particles.parameter<std::int64_t>("Pass") == 2);
  CHECK(*particles.parameter<double>("pCentral") == 200.);
  CHECK(particles.pages[0].table.values<double>("xp") == std::vector<double>{1e-3, -3e-3});
  const auto moments_folder = watched(line_of("FILENAME=m.sdds, MODE=\"parameters\""));
  const auto moments = io::read_sdds(moments_folder / "m.sdds");
  const auto& table = moments.pages[0].table;
  CHECK(table.values<std::int64_t>("Pass") == std::vector<std::int64_t>{0, 1, 2});
  CHECK(table.values<std::int64_t>("Particles")[2] == 2);
  CHECK(table.values<double>("pCentral")[0] == 200.);
  CHECK(table.values<double>("Cx")[0] == -2e-3);
  CHECK(table.values<double>("Sxp")[0] == 2e-3);
  CHECK(moments.header.columns[2].units == "m$be$nc");
}

TEST_CASE("watches need files of their own", "[io]") {
  const Space exec;
  const auto make = [&](const BeamLine& line) {
    io::WatchFiles<double, Space>(exec, line, ".", "r");
  };
  test::check_refused<UsageError>([&] { make({{"w", Watch{}}}); }, "element 'w': it has no file");
  test::check_refused<UsageError>(
      [&] {
        make({{"w", Watch{"a.csv"}}, {"v", Watch{"a"}}});
      },
      "element 'v': its file is that of another");
  test::check_refused<InputError>([] { line_of("FILENAME=a, MODE=fft"); }, "WATCH: MODE cannot be");
}

TEST_CASE("watches take particles by their numbers", "[io]") {
  const auto first = watched(line_of("FILENAME=\"%s.w1\", END_PASS=0, END_PID=0"));
  const auto one = io::read_bunch(first / "root.w1.csv", {.p0 = 200., .path_length = 2.});
  CHECK(one.v[x] == std::vector<double>{2e-3});
  const auto folder = watched(line_of("FILENAME=\"m.csv\", MODE=PARAM, START_PID=1"));
  const std::string text = read_file(folder / "m.csv");
  CHECK(text.find("\n0,1,200,2,-0.006") != std::string::npos);
}

TEST_CASE("watches keep spins, and their openPMD files the species", "[io]") {
  const Space exec;
  ParticleTable table(2, 200.);
  table.set_spins(0., 1., 0.);
  auto bunch = upload<double>(exec, table);
  const auto folder = watched(line_of("FILENAME=none"));
  const auto track = [&](const std::string& watch) {
    const auto line = line_of(watch);
    const io::WatchFiles<double, Space> watches(exec, line, folder, "root", "proton");
    LineTracker<double, Space>(exec, line, {0., 0.}, watches.stops()).track(bunch, 1, watches);
  };
  track("FILENAME=a.csv, END_PASS=0, END_PID=0");
  const auto one = io::read_bunch(folder / "a.csv", {.p0 = 200., .path_length = 2.});
  CHECK(one.spin[1] == std::vector<double>{1.});
#ifdef TRACKPLEX_HAS_HDF5
  track("FILENAME=\"%s.openpmd.h5\"");
  CHECK(io::read_bunch_file(folder / "root.openpmd.h5").species == "proton");
#endif
}

#ifdef TRACKPLEX_HAS_HDF5
TEST_CASE("watches write turns as iterations of an openPMD file", "[io]") {
  const auto read = [](const std::filesystem::path& file, int turn, const std::string& iteration) {
    const double path = iteration.empty() ? 2. + 4. * turn : 0., p0 = iteration.empty() ? 200. : 0.;
    return io::read_bunch(file, {.p0 = p0, .path_length = path, .iteration = iteration});
  };
  const auto csv = watched(line_of("FILENAME=w.csv"));
  const ParticleTable tables[] = {read(csv / "w_turn1.csv", 1, ""),
                                  read(csv / "w_turn2.csv", 2, "")};
  const auto folder = watched(line_of("FILENAME=w.openpmd.h5, START_PASS=1"));
  for (const int turn : {1, 2}) {
    CAPTURE(turn);
    const auto found = read(folder / "w.openpmd.h5", turn, std::to_string(turn));
    for (int c = 0; c < n_coordinates; ++c)
      for (int i = 0; i < 2; ++i)
        CHECK(std::abs(found.v[c][i] - tables[turn - 1].v[c][i]) < 1e-14);  // of s, in the CSV
    CHECK(found.reference.path_length == 2. + 4. * turn);
  }
  test::check_refused([&] { return io::read_bunch(folder / "w.openpmd.h5"); },
                      "has several iterations (1, 2)");
  test::check_refused<UsageError>(
      [] { watched(line_of("FILENAME=w.openpmd.h5, MODE=parameters")); },
      "only particles are written as openPMD");
}
#endif

TEST_CASE("elements without effect are skipped, and named", "[io]") {
  const auto file = io::parse_elegant_lattice(
      "h: HISTOGRAM, FILENAME=\"%s.h\", X_DATA=1, BINS=100\nr: RECIRC, I_RECIRC_ELEMENT=1\n"
      "g: HISTOGRAM, FILENAME=a\nd: DRIF, L=1\nl: LINE=(r, d, h, g)",
      "x");
  CHECK(file.skipped == "HISTOGRAM (2)");
  CHECK(map_of(file.expand(), 1) == drift_map(1., 1));
  CHECK(file.before_recirculation(file.expand()) == 0);
}

TEST_CASE("turns begin at the last RECIRC", "[io]") {
  const auto file = io::parse_elegant_lattice(
      "m: MALIGN, DX=1e-3\nr: RECIRC\nlike: r\nd: DRIF, L=1\nl: LINE=(m, r, d, LIKE, d)\n"
      "none: LINE=(m, d)",
      "x");
  CHECK(file.before_recirculation(file.expand("l")) == 3);
  CHECK(file.before_recirculation(file.expand("none")) == 0);
}
