// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <filesystem>
#include <support/data.hpp>
#include <support/refusals.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/table_csv.hpp>
#include <trackplex/io/tables/table_file.hpp>
#include <trackplex/io/tables/tally_table.hpp>

using Catch::Matchers::WithinRel;
using namespace trackplex;
using namespace trackplex::io;
using montecarlo::TallyDescription;
using montecarlo::TallyView;
using test::check_refused;

namespace {

const std::string good =
    "# first\r\n#second\n\nbin_lo,bin_hi,density,counts\r\n"
    "-1.00,-0.99,2.5e-1,7\n-0.99,-0.98,0,9223372036854775807\n";

std::string with(const std::string& row) { return "bin_lo,bin_hi,density,counts\n0,1,0,0\n" + row; }

}  // namespace

TEST_CASE("a distribution is read", "[io]") {
  const auto table = parse_tally_csv(good, "x.csv");
  CHECK(table.metadata == Metadata{{"", "first"}, {"", "second"}});
  CHECK(table.low == std::vector<double>{-1., -0.99});
  CHECK(table.high == std::vector<double>{-0.99, -0.98});
  CHECK(table.density == std::vector<double>{0.25, 0.});
  CHECK(table.counts == std::vector<std::uint64_t>{7, std::uint64_t(INT64_MAX)});
  CHECK(parse_tally_csv(good.substr(0, good.size() - 1), "x.csv").counts == table.counts);
}

TEST_CASE("errors of a distribution have their line", "[io]") {
  const auto parse = [](const std::string& text) {
    return [=] { parse_tally_csv(text, "x.csv"); };
  };
  check_refused(parse(""), "x.csv: line 1: the names of the columns are missing");
  check_refused(parse("# only this\n"), "the names of the columns are missing");
  check_refused(parse("low,high\n"), "x.csv: line 1: there is no column 'low'");
  check_refused(parse("bin_lo,bin_hi,density,counts\n"), "x.csv: has no bins");
  check_refused(parse(with("1,2,0\n")), "x.csv: line 3: 3 values (there are 4 columns)");
  check_refused(parse(with("1,2,0,0,0\n")), "line 3: 5 values (there are 4 columns)");
  check_refused(parse(with("1,x,0,0\n")), "line 3, bin_hi: 'x' is no number");
  check_refused(parse(with("1,2 3,0,0\n")), "line 3, bin_hi: '2 3' is no number");
  check_refused(parse(with("1,inf,0,0\n")), "line 3, bin_hi: it is not finite");
  check_refused(parse(with("1,1,0,0\n")), "line 3, bin_hi: is not above bin_lo");
  check_refused(parse(with("1.1,2,0,0\n")), "line 3, bin_lo: is not where the last bin ends");
  check_refused(parse(with("1,2,-1,0\n")), "line 3, density: is below 0");
  check_refused(parse(with("1,2,0,-1\n")), "line 3, counts: is no number of histories");
  check_refused(parse(with("1,2,0,1.5\n")), "line 3, counts");
  check_refused(parse(with("1,2,0,9223372036854775808\n")), "line 3, counts");
  check_refused([] { read_tally("/nowhere/x.csv", "x"); }, "/nowhere/x.csv: cannot be opened");
  test::check_changed_anywhere(
      good, [](const std::string& text) { parse_tally_csv(text, "x"); }, 2000);
}

TEST_CASE("a tally is written and read", "[io]") {
  const std::vector<std::uint64_t> cells{5, 1, 0, 1ull << 60, 9};
  const TallyView tally{{"longitudinal", {{"longitudinal", {-1., 0.5, 3}}}, 5}, cells};
  const std::uint64_t histories = 1ull << 61;
  const auto file = std::filesystem::temp_directory_path() / "trackplex_tally.csv";
  write_table(file, tally_table(tally, histories, {{"material", "water"}}));
  const auto table = read_tally(file, "longitudinal");
  CHECK(table.metadata == Metadata{{"material", "water"},
                                   {"histories", "2305843009213693952"},
                                   {"underflow", "5"},
                                   {"overflow", "9"}});
  CHECK(table.low == std::vector<double>{-1., -0.5, 0.});
  CHECK(table.high == std::vector<double>{-0.5, 0., 0.5});
  CHECK(table.counts == std::vector<std::uint64_t>{1, 0, 1ull << 60});
  CHECK_THAT(table.density[2], WithinRel(1., 1e-15));  // half of all in a bin of 0.5
  std::filesystem::remove(file);
  const auto of_none = parse_tally_csv(table_csv(tally_table(tally, 0, {})), "x");
  CHECK(of_none.density == std::vector<double>{0., 0., 0.});

  check_refused<UsageError>([&] { tally_table({{"user", {}, 5}, cells}, 1, {}); }, "not one axis");
}

TEST_CASE("the reference distributions are read", "[io]") {
  for (const char* quantity : {"longitudinal", "transverse"}) {
    const auto table = read_tally(
        test::reference_or_skip(std::string("coulomb/peer_float_gold_") + quantity + ".csv"),
        quantity);
    CAPTURE(quantity);
    CHECK(table.metadata.front().second.find("material=gold") != std::string::npos);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      sum += table.counts[i];
      CHECK_THAT(table.density[i], WithinRel(double(table.counts[i]) * 100. / 1e7, 1e-9));
    }
    CHECK(sum == 10000000);
    CHECK(table.high.back() == 1.01);
  }
}
