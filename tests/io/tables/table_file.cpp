// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/detail/bunch_columns.hpp>
#include <trackplex/io/tables/detail/write_bunch.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/io/tables/table_hdf5.hpp>
#ifdef TRACKPLEX_HAS_HDF5
#include <trackplex/hdf5/handle.hpp>
#endif

#include <catch2/catch_test_macros.hpp>

#include <support/refusals.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace trackplex;
using namespace trackplex::io;
using test::check_refused;
namespace fs = std::filesystem;

namespace {

const std::vector<ColumnFormat> formats_of_hits{{"event", "", ColumnType::int64},
                                                {"x", "mm", ColumnType::float32},
                                                {"time", "ns", ColumnType::float64, true, false},
                                                {"name", "", ColumnType::string}};
const std::vector<ColumnFormat> formats_of_events{{"event", "", ColumnType::int64}};
const Metadata metadata_of_files{{"program", "test"}, {"input", "äöü"}, {"empty", ""}};

std::vector<Table> empty_tables() {
  std::vector<Table> tables{{"tracks", {}}, {"hits", {}}};
  for (const auto& f : formats_of_events) tables[0].columns.emplace_back(f.name, f.unit, f.type);
  for (const auto& f : formats_of_hits) tables[1].columns.emplace_back(f.name, f.unit, f.type);
  return tables;
}

/// A folder that is removed at the end.
struct Folder {
  fs::path path;
  explicit Folder(const std::string& name)
      : path(fs::temp_directory_path() / ("trackplex_" + name)) {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
};

/// n events with three hits each, written in parts of some events.
void write_events(const fs::path& path, int n, int per_part) {
  TableFile file(path, metadata_of_files, empty_tables());
  for (int event = 0; event < n; ++event) {
    file[0].add_row(event);
    for (int hit = 0; hit < 3; ++hit)
      file[1].add_row(event, 0.1 * hit, event % 5 ? event / 3. : std::nan(""),
                      std::string(std::size_t(event % 7), 'a'));
    if (event % per_part == 0) file.flush();
  }
  file.finish();
}

void check_hits(const TableOfFile& hits, int n) {
  REQUIRE(hits.rows() == std::size_t(3 * n));
  CHECK(hits.metadata == metadata_of_files);
  bool same = true;
  for (std::size_t i = 0; i < hits.rows(); ++i) {
    const auto event = std::int64_t(i / 3);
    const double time = hits.values<double>("time")[i];
    same = same && hits.values<std::int64_t>("event")[i] == event &&
           hits.values<float>("x")[i] == float(0.1 * double(i % 3)) &&
           (event % 5 ? time == double(event) / 3. : std::isnan(time)) &&
           hits.values<std::string>("name")[i] == std::string(std::size_t(event % 7), 'a');
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("tables of a file in CSV or SDDS are in files beside each other", "[io][table]") {
  const Folder folder("table_csv");
  for (const std::string ending : {".csv", ".sdds"}) {
    for (const int n : {0, 1, 50}) {
      write_events(folder.path / ("a" + ending), n, 7);
      check_hits(read_table(folder.path / ("a_hits" + ending), "hits", formats_of_hits), n);
      const auto tracks = read_table(folder.path / ("a" + ending), "tracks", formats_of_events);
      CHECK(tracks.rows() == std::size_t(n));
      CHECK(tracks.metadata == metadata_of_files);
    }
    write_events(folder.path / ("b" + ending), 50, 1);
    for (const std::string table : {"", "_hits"})
      CHECK(trackplex::read_file(folder.path / ("a" + table + ending)) ==
            trackplex::read_file(folder.path / ("b" + table + ending)));
  }
}

TEST_CASE("SDDS that is not as expected is refused", "[io][table]") {
  const Folder folder("table_sdds");
  const auto file = folder.path / "a.sdds";
  const auto read = [&](const std::string& text, std::vector<ColumnFormat> formats) {
    trackplex::write_file(file, "SDDS1\n" + text);
    return [=] { return read_table(file, "hits", formats); };
  };
  const std::string x = "&column name=x, units=mm, type=double &end\n&data mode=ascii &end\n";
  const std::string rows = x + "2\n1\n2\n";
  check_refused(read(rows, {{"y", "mm"}}), "a.sdds: hits: there is no column 'x' (known: y)");
  check_refused(read(rows, {{"x", "cm"}}), "the column 'x' is in [mm] (expected [cm])");
  check_refused(read(rows, {{"x", "mm"}, {"y", "mm"}}), "the column 'y' is missing");
  check_refused(read(rows + rows.substr(x.size()), {{"x", "mm"}}), "a table has one page");
  check_refused(read(x, {{"x", "mm"}}), "the file has no page");
  check_refused(read(rows, {{"x", "mm", ColumnType::float32}}), "hits, x: is of another type");
  check_refused(read(rows, {{"x", "mm", ColumnType::string}}), "(double, expected string)");
  check_refused(read(x + "1\n1.5\n", {{"x", "mm", ColumnType::int64}}),
                "line 5, x: it is no integer (1.5)");
  check_refused(read(x + "1\nnan\n", {{"x", "mm"}}), "line 5, x: it is not finite");
  CHECK(read(rows, {{"x", "mm", ColumnType::int64}})().values<std::int64_t>("x") ==
        std::vector<std::int64_t>{1, 2});
  const auto other = read(  // parameters of any type are metadata
      "&parameter name=n, type=long, fixed_value=3 &end\n&parameter name=q, type=float &end\n"
      "&column name=x, type=short &end\n&data mode=ascii &end\n0.5\n1\n7\n",
      {{"x", "mm"}})();
  CHECK(other.metadata == Metadata{{"n", "3"}, {"q", "0.5"}});
  CHECK(other.values<double>("x")[0] == 7.);
}

TEST_CASE("files of tables need a known ending and a folder", "[io][table]") {
  check_refused<UsageError>([] { write_events("a.txt", 1, 1); },
                            "'a.txt' ends in none of .csv, .h5 and .sdds");
  check_refused<Error>([] { write_events("/nowhere/a.csv", 1, 1); }, "cannot be written");
  if (has_hdf5) return;
  check_refused<UsageError>([] { write_events("a.h5", 1, 1); }, "this build has no HDF5");
  check_refused<UsageError>([] { read_table("a.h5", "a", formats_of_events); },
                            "this build has no HDF5");
}

TEST_CASE("a disk that is full is an error", "[io][table]") {
  if (!fs::exists("/dev/full")) SKIP("there is no /dev/full");
  const Folder folder("table_full");
  for (const std::string ending : {".csv", ".h5", ".sdds"}) {
    if (ending == ".h5" && !has_hdf5) continue;
    const auto file = folder.path / ("a" + ending);
    fs::create_symlink("/dev/full", file);
    CHECK_THROWS_AS(write_events(file, 10, 1), Error);
  }
}

#ifdef TRACKPLEX_HAS_HDF5

namespace {

std::string bytes_of(const fs::path& path) { return trackplex::read_file(path); }

}  // namespace

TEST_CASE("tables of a file in HDF5 come back", "[io][table]") {
  const Folder folder("table_hdf5");
  const auto file = folder.path / "a.h5";
  for (const int n : {0, 1, 20000}) {  // more than a chunk
    write_events(file, n, 7);
    check_hits(read_table(file, "hits", formats_of_hits), n);
    CHECK(read_table(file, "tracks", formats_of_events).rows() == std::size_t(n));
  }
  write_events(folder.path / "b.h5", 20000, 3);
  CHECK(bytes_of(folder.path / "b.h5") == bytes_of(file));
}

TEST_CASE("HDF5 that is not as expected is refused", "[io][table]") {
  const Folder folder("table_refused");
  const auto file = folder.path / "a.h5";
  write_events(file, 2, 1);
  const auto read = [&](std::vector<ColumnFormat> formats, const std::string& table = "hits") {
    return [=] { read_table(file, table, formats); };
  };
  auto formats = formats_of_hits;
  check_refused([] { read_table("/nowhere/a.h5", "a", formats_of_hits); },
                "/nowhere/a.h5: cannot be opened as HDF5");
  check_refused(read(formats, "particles"), "a.h5: has no table particles");
  formats.push_back({"q", ""});
  check_refused(read(formats), "a.h5: hits: the column 'q' is missing");
  check_refused(read({formats_of_hits.begin(), formats_of_hits.begin() + 3}),
                "there is no column 'name'");
  formats = formats_of_hits;
  formats[1].unit = "cm";
  check_refused(read(formats), "the column 'x' is in [mm] (expected [cm])");
  formats = formats_of_hits;
  formats[2].finite = true;
  check_refused(read(formats), "hits/time[0]: it is not finite");
  formats = formats_of_hits;
  formats[2].type = ColumnType::float32;
  check_refused(read(formats), "hits/time: is of another type (expected floats)");
  formats[0].type = ColumnType::string;
  check_refused(read(formats), "hits/event: is of another type (expected texts");
  formats[0].type = ColumnType::float64;
  check_refused(read(formats), "hits/event: is of another type (expected doubles)");
  formats = formats_of_hits;
  formats[1].type = ColumnType::float64;  // has all floats
  CHECK(read_table(file, "hits", formats).values<double>("x")[1] == double(0.1f));
  std::vector<Table> zero{{"a", {{"b", "", ColumnType::string}}}};
  zero[0].add_row(std::string("c\0d", 3));
  check_refused<UsageError>([&] { write_table(folder.path / "zero.h5", zero[0]); }, "zero byte");
}

TEST_CASE("HDF5 of other programs is read", "[io][table]") {
  const Folder folder("table_of_others");
  const auto file = folder.path / "a.h5";
  const auto make = [&](hid_t unit_type, const void* unit) {
    using hdf5::Handle;
    const Handle h5(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const Handle table(H5Gcreate2(h5, "hits", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    const hsize_t n = 3;
    const Handle rows(H5Screate_simple(1, &n, nullptr), H5Sclose),
        one(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(text, H5T_VARIABLE);
    const auto attach = [&](hid_t to, const char* name, hid_t type, const void* value) {
      const Handle attribute(H5Acreate2(to, name, type, one, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      H5Awrite(attribute, type, value);
    };
    const auto column = [&](const char* name, hid_t type, hid_t properties, const void* values) {
      Handle set(H5Dcreate2(table, name, type, rows, H5P_DEFAULT, properties, H5P_DEFAULT),
                 H5Dclose);
      if (values) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
      return set;
    };
    const double pi = 3.;
    const char *author = "somebody", *names[] = {"a", "", "long name"};
    attach(h5, "version", H5T_NATIVE_DOUBLE, &pi);
    attach(h5, "author", text, &author);
    const auto name = column("name", text, H5P_DEFAULT, names);
    attach(name, "CLASS", H5T_NATIVE_DOUBLE, &pi);
    const double x[] = {1., 2., 3.}, fill = -7.;
    const auto of_x = column("x", H5T_IEEE_F64BE, H5P_DEFAULT, nullptr);
    H5Dwrite(of_x, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
    attach(of_x, "unit", unit_type ? unit_type : hid_t(text), unit);
    const Handle with_fill(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_fill_value(with_fill, H5T_NATIVE_DOUBLE, &fill);
    column("weight", H5T_NATIVE_DOUBLE, with_fill, nullptr);
    column("turn", H5T_NATIVE_INT64, H5P_DEFAULT, nullptr);
  };
  const std::vector<ColumnFormat> formats{{"name", "", ColumnType::string},
                                          {"x", "mm", ColumnType::float64},
                                          {"weight", "", ColumnType::float64},
                                          {"turn", "", ColumnType::int64}};
  const char* const mm = "mm";
  make(0, &mm);
  const auto table = read_table(file, "hits", formats);
  CHECK(table.metadata == Metadata{{"author", "somebody"}});
  CHECK(table.values<std::string>("name") == std::vector<std::string>{"a", "", "long name"});
  CHECK(table.values<double>("x") == std::vector{1., 2., 3.});
  CHECK(table.values<double>("weight") == std::vector{-7., -7., -7.});
  CHECK(table.values<std::int64_t>("turn") == std::vector<std::int64_t>{0, 0, 0});
  const double number = 1.;
  make(H5T_NATIVE_DOUBLE, &number);
  check_refused([&] { read_table(file, "hits", formats); },
                "unit: is an attribute of another type");
}

TEST_CASE("HDF5 files have the format of version 1.8", "[io][table]") {
  const Folder folder("table_format");
  const auto file = folder.path / "a.h5";
  write_events(file, 40000, 100);
  using hdf5::Handle;
  const Handle old(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  REQUIRE(H5Pset_libver_bounds(old, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) >= 0);
  const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, old), H5Fclose);
  REQUIRE(bool(opened));
  const Handle column(H5Dopen2(opened, "hits/time", H5P_DEFAULT), H5Dclose);
  std::vector<double> values(120000);
  CHECK(H5Dread(column, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
}

TEST_CASE("HDF5 columns that compress well are read, those that exceed the memory refused",
          "[io][table]") {
  const Folder folder("table_compressed");
  const auto file = folder.path / "a.h5";
  const auto make = [&](hsize_t n, hsize_t chunk, bool written) {
    using hdf5::Handle;
    const Handle h5(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    const Handle table(H5Gcreate2(h5, "hits", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    const Handle rows(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Handle compressed(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(compressed, 1, &chunk);
    for (int twice = 0; twice < 2; ++twice) H5Pset_deflate(compressed, 9);
    const Handle x(
        H5Dcreate2(table, "x", H5T_NATIVE_DOUBLE, rows, H5P_DEFAULT, compressed, H5P_DEFAULT),
        H5Dclose);
    const std::vector<double> ones(written ? n : 0, 1.);
    if (written) H5Dwrite(x, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ones.data());
  };
  const auto read = [&] { return read_table(file, "hits", {{{"x", "", ColumnType::float64}}}); };
  make(1'000'000, 1'000'000, true);
  CHECK(fs::file_size(file) < 10'000);
  CHECK(read().values<double>("x") == std::vector<double>(1'000'000, 1.));
  make(hsize_t(1) << 50, 1000, false);
  check_refused(read, "hits/x: its 1125899906842624 rows exceed the memory of this machine");
}

TEST_CASE("damaged HDF5 is refused, or reads as it was", "[io][table]") {
  const Folder folder("table_damaged");
  const auto file = folder.path / "a.h5", damaged = folder.path / "b.h5";
  write_events(file, 30, 1);
  const std::string good = bytes_of(file);
  const auto read = [&](const std::string& bytes) {
    std::ofstream(damaged, std::ios::binary) << bytes;
    try {
      check_hits(read_table(damaged, "hits", formats_of_hits), 30);
      return false;
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find("b.h5") != std::string::npos);
      return true;
    }
  };
  std::mt19937 random(3);
  for (std::size_t size = 0; size < good.size(); size += 1 + random() % 97)
    CHECK(read(good.substr(0, size)));
  int refused = 0;
  for (int n = 0; n < 2000; ++n) {
    auto bytes = good;
    bytes[random() % bytes.size()] ^= char(1 << random() % 8);
    refused += read(bytes);
  }
  CHECK(refused > 200);
}

TEST_CASE("bunches survive HDF5 to the bit", "[io][table]") {
  const Folder folder("bunch_hdf5");
  beam::ParticleTable particles(100, 200.);
  std::mt19937_64 random(3);
  for (auto& column : particles.v)
    for (double& value : column) value = 1e-3 * (double(random() >> 11) * 0x1p-52 - 1.);
  particles.losses[3] = {1, 2};
  particles.v[0][3] = std::numeric_limits<double>::infinity();
  write_bunch(folder.path / "a.h5", particles, metadata_of_files);
  const auto again = read_bunch(folder.path / "a.h5", {.p0 = 200.});
  for (int c = 0; c < beam::n_coordinates; ++c) CHECK(again.v[c] == particles.v[c]);
  CHECK(again.ids == particles.ids);
  CHECK(again.losses[3].element == 2);
}

TEST_CASE("bunches are written to HDF5 in slabs of any size", "[io][table]") {
  const Folder folder("bunch_slabs");
  beam::ParticleTable particles(300000, 200.);
  for (int i = 0; i < particles.size(); ++i) particles.v[0][std::size_t(i)] = 1. / (i + 1);
  auto table = bunch_table(particles);
  table.metadata = metadata_of_files;
  write_table(folder.path / "whole.h5", table);
  const auto whole = bytes_of(folder.path / "whole.h5");
  const auto empty = io::detail::empty_bunch_table(false, metadata_of_files);
  for (const int chunks : {1, 3, 100}) {
    io::detail::write_bunch_hdf5(folder.path / "slabs.h5", empty, particles, nullptr, chunks);
    CHECK(bytes_of(folder.path / "slabs.h5") == whole);
  }
}

#endif
