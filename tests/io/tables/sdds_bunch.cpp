// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/sdds/sdds.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/bunch_table.hpp>
#include <trackplex/io/tables/detail/sdds_bunch.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <zlib.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using namespace trackplex::beam;
using io::parse_bunch_sdds;

namespace {

ParticleTable sdds_particles(int n, double path_length) {
  ParticleTable table(n, 200.);
  table.reference.path_length = path_length;
  table.particle_charge = 1e-15;
  std::mt19937_64 random(5);
  const double scale[] = {1e-3, 5e-4, 8e-4, 4e-4, 3e-4, 5e-3};
  for (int c = 0; c < n_coordinates; ++c)
    for (double& value : table.v[c]) value = scale[c] * (double(random() >> 11) * 0x1p-52 - 1.);
  for (int i = 0; i < n; ++i) table.ids[std::size_t(i)] = 3 * i - 5;
  return table;
}

double max_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double max = 0.;
  for (std::size_t i = 0; i < a.size(); ++i) max = std::max(max, std::abs(a[i] - b[i]));
  return max;
}

std::filesystem::path sdds_bunch_file() {
  return std::filesystem::temp_directory_path() / "trackplex_bunch.sdds";
}

const std::string sdds_bunch_head =
    "SDDS1\n&parameter name=pCentral, type=double, &end\n&parameter name=Pass, type=long &end\n"
    "&column name=x, units=m, type=double &end\n&column name=xp, type=float &end\n"
    "&column name=y, type=double &end\n&column name=yp, units=rad, type=double &end\n"
    "&column name=dt, units=ns, type=double &end\n&column name=t, units=s, type=double &end\n"
    "&column name=p, units=\"m$be$nc\", type=double &end\n&data mode=ascii &end\n";
const std::string sdds_bunch_page = "100\n0\n2\n1e-3 0 0 0 nan 0 100\n0 0.5 2 0 0 0 101\n";

void refuse_sdds_bunch(const std::string& text, const std::string& message) {
  CAPTURE(text);
  test::check_refused<InputError>([&] { parse_bunch_sdds(text, "b.sdds"); }, message);
}

/// The text with a part of it replaced.
std::string with_sdds_part(std::string text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  REQUIRE(at != text.npos);
  return text.replace(at, part.size(), by);
}

}  // namespace

TEST_CASE("bunches survive SDDS but for the rounding of s and delta", "[io]") {
  for (const double path : {0., 1234.5}) {
    const auto table = sdds_particles(40000, path);
    io::write_bunch(sdds_bunch_file(), table, {{"program", "test"}});
    const auto again = io::read_bunch(sdds_bunch_file(), {.path_length = path});
    for (const int c : {x, xp, y, yp}) CHECK(again.v[c] == table.v[c]);
    CHECK(again.ids == table.ids);
    CHECK(again.reference.p0 == 200.);  // pCentral
    CHECK(std::abs(again.particle_charge - 1e-15) < 1e-30);
    CHECK(max_difference(again.v[delta], table.v[delta]) <= 1.2e-16);
    CHECK(max_difference(again.v[s], table.v[s]) <= 4e-16 * (path + 3e-4));
    const auto file = io::read_sdds(sdds_bunch_file());
    CHECK(*file.parameter<std::int64_t>("Particles") == 40000);
    CHECK(*file.parameter<std::string>("program") == "test");
    CHECK(std::abs(*file.parameter<double>("Charge") - 4e-11) < 1e-25);
    const auto other = io::read_bunch(sdds_bunch_file(), {.p0 = 199., .path_length = path});
    CHECK(std::abs(other.v[delta][0] - (200. * (1. + table.v[delta][0]) / 199. - 1.)) < 1e-15);
    std::filesystem::remove(sdds_bunch_file());
  }
}

TEST_CASE("SDDS has the particles that are not lost", "[io]") {
  auto table = sdds_particles(20000, 0.);
  for (const std::size_t i : {0u, 7u, 16384u, 19999u}) {
    table.losses[i] = {1, 2};
    table.v[x][i] = std::numeric_limits<double>::quiet_NaN();
  }
  io::write_bunch(sdds_bunch_file(), table);
  const auto again = io::read_bunch(sdds_bunch_file());
  CHECK(again.size() == 19996);
  CHECK(again.n_lost() == 0);
  CHECK(again.ids[0] == table.ids[1]);
  CHECK(again.v[x].back() == table.v[x][19998]);
  CHECK(*io::read_sdds(sdds_bunch_file()).parameter<std::int64_t>("Particles") == 19996);
  io::write_bunch(sdds_bunch_file(), ParticleTable(0, 200.));
  CHECK(io::read_bunch(sdds_bunch_file()).size() == 0);
  test::check_refused<UsageError>(
      [&] {
        io::write_bunch(sdds_bunch_file(), table, {{"Charge", "1"}});
      },
      "have one name");
  std::filesystem::remove(sdds_bunch_file());
}

TEST_CASE("all pages of SDDS are one bunch", "[io]") {
  const auto particles = parse_bunch_sdds(
      sdds_bunch_head + sdds_bunch_page + "100\n0\n1\n3e-3 0 0 0 0 1e-12 99\n", "b.sdds");
  CHECK(particles.v[x] == std::vector{1e-3, 0., 3e-3});
  CHECK(particles.ids == std::vector<std::int64_t>{0, 1, 2});
  CHECK(particles.v[delta] == std::vector{0., 0.01, -0.01});
  CHECK(particles.particle_charge == 0.);
  const double way = 99. / std::sqrt(99. * 99. + 1.) * 1e-12 * constants::speed_of_light;
  CHECK(std::abs(particles.v[s][2] - way) < 1e-18);
  const auto two = with_sdds_part(sdds_bunch_head, "Pass, type=long", "Charge, type=float") +
                   "0\n0.5\n1\n0 0 0 0 0 0 100\n0\n1\n1\n0 0 0 0 0 0 102\n";
  CHECK(parse_bunch_sdds(two, "b.sdds").particle_charge == 0.75);
  CHECK(parse_bunch_sdds(two, "b.sdds").reference.p0 == 101.);  // the mean
  refuse_sdds_bunch(
      sdds_bunch_head + sdds_bunch_page + with_sdds_part(sdds_bunch_page, "\n0\n", "\n1\n"),
      "b.sdds: page 2: Pass is not that of the page before");
  refuse_sdds_bunch(
      sdds_bunch_head + sdds_bunch_page + with_sdds_part(sdds_bunch_page, "100", "101"),
      "pCentral is not that of the page before (all pages are one bunch)");
}

TEST_CASE("SDDS that is no bunch is refused, with the line or row", "[io]") {
  const std::string whole = sdds_bunch_head + sdds_bunch_page;
  refuse_sdds_bunch(sdds_bunch_head, "b.sdds: the file has no page");
  refuse_sdds_bunch(with_sdds_part(whole, "name=t", "name=time"),
                    "the column 't' is missing; x, xp");
  refuse_sdds_bunch(with_sdds_part(whole, "units=m,", "units=mm,"),
                    "the column 'x' is in [mm] (expected");
  refuse_sdds_bunch(with_sdds_part(whole, "m$be$nc", "MeV/c"),
                    "the column 'p' is in [MeV/c] (expected");
  refuse_sdds_bunch(with_sdds_part(whole, "xp, type=float", "xp, type=character"),
                    "is of another type");
  refuse_sdds_bunch(with_sdds_part(whole, "0 0.5", "inf 0.5"),
                    "b.sdds: line 16, x: it is not finite");
  refuse_sdds_bunch(with_sdds_part(whole, " 101", " -1"), "line 16, momentum: it is not above 0");
  const auto charged = with_sdds_part(whole, "Pass, type=long", "Charge, type=double");
  refuse_sdds_bunch(with_sdds_part(charged, "100\n0\n", "100\n-1\n"),
                    "page 1: the charge is below 0");
  const auto numbered = with_sdds_part(whole, "dt, units=ns", "particleID");
  refuse_sdds_bunch(with_sdds_part(numbered, "nan", "1.5"),
                    "line 15, particleID: it is no integer");
  CHECK(parse_bunch_sdds(with_sdds_part(numbered, "nan", "7"), "b").ids ==
        std::vector<std::int64_t>{7, 0});
  const auto binary =
      io::sdds_bytes(io::parse_sdds(with_sdds_part(whole, "0 0.5", "inf 0.5"), "b"));
  refuse_sdds_bunch(binary, "b.sdds: particles, row 1, x: it is not finite");
}

TEST_CASE("damaged bunches in SDDS are read or refused", "[io]") {
  const auto parse = [](const std::string& bytes) {
    try {
      parse_bunch_sdds(bytes, "b.sdds");
    } catch (const UsageError&) {  // no mean momentum
    }
  };
  const std::string whole = sdds_bunch_head + sdds_bunch_page;
  test::check_changed_anywhere(whole, parse, 3000);
  test::check_changed_anywhere(io::sdds_bytes(io::parse_sdds(whole, "b")), parse, 3000);
}

TEST_CASE("the particles of elegant's files are read", "[io]") {
  const auto watch = io::read_bunch(test::data_or_skip("sdds/watch.sdds"));
  CHECK(watch.size() == 400);
  CHECK(watch.reference.p0 == 200.);
  CHECK(watch.ids[0] == 1);
  CHECK(watch.v[x][0] == -0.001106958);
  CHECK(std::abs(watch.v[delta][0] - 1.04738 / 200.) < 1e-15);
  const auto beam = io::read_bunch(test::data_or_skip("sdds/beam_binary.sdds"));
  CHECK(beam.size() > 0);
  CHECK(beam.ids[0] == 1001);  // a double in this file
  const auto one = io::read_bunch(test::data_or_skip("sdds/distribution_ascii.sdds"));
  CHECK(one.particle_charge == 1.);
  CHECK(one.reference.p0 == 1.);
}

TEST_CASE("s and delta of SDDS are those of elegant", "[io]") {
  const auto bunch =
      io::read_bunch(test::reference_or_skip("beam/lattice/lsc1000.sdds"), {.p0 = 200.});
  std::vector<io::ColumnFormat> columns{{"id", "", io::ColumnType::int64}};
  for (const char* when : {"0", "1"})
    for (const char* name : {"x", "xp", "y", "yp", "t", "p", "s", "delta"})
      columns.push_back({std::string(name) + when, ""});
  const auto table = io::read_table_csv(test::reference_or_skip("beam/lsc_off.csv"), columns);
  CHECK(max_difference(bunch.v[x], table.values<double>("x0")) == 0.);
  CHECK(max_difference(bunch.v[s], table.values<double>("s0")) <= 1e-18);
  CHECK(max_difference(bunch.v[delta], table.values<double>("delta0")) <= 1.2e-16);
}

TEST_CASE("bunches in SDDS are known by their contents", "[io]") {
  const auto folder = std::filesystem::temp_directory_path();
  const auto expected = parse_bunch_sdds(sdds_bunch_head + sdds_bunch_page, "b.sdds");
  for (const char* name : {"trackplex.bun", "trackplex.w1", "trackplex.csv", "trackplex_bunch"}) {
    write_file(folder / name, sdds_bunch_head + sdds_bunch_page);
    const auto found = io::read_bunch(folder / name);
    for (int c = 0; c < n_coordinates; ++c) CHECK(found.v[c] == expected.v[c]);
  }
  // `gzip -n` of it
  z_stream stream{};
  std::string text = sdds_bunch_head + sdds_bunch_page, bytes(10000, '\0');
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = uInt(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = uInt(bytes.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  deflateEnd(&stream);
  write_file(folder / "trackplex.sdds.gz", bytes);  // with zero bytes behind it
  CHECK(io::read_bunch(folder / "trackplex.sdds.gz").v[x] == expected.v[x]);
  CHECK(io::read_sdds(folder / "trackplex.sdds.gz").pages.size() == 1);
  write_file(folder / "trackplex.bun", "x,xp,y,yp,t,p\n1e-3,0,0,0,0,100\n");
  CHECK(io::read_bunch(folder / "trackplex.bun").size() == 1);
}
