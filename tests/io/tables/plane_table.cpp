// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/plane_table.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <vector>

using namespace trackplex;

TEST_CASE("A tally of two axes is a table of cells", "[io]") {
  const montecarlo::TallyDescription description{
      "plane", {{"longitudinal", {-1., 1., 2}}, {"transverse", {0., 1., 1}}}, 12};
  std::vector<std::uint64_t> cells(12);
  const montecarlo::TallyView view{description, cells};
  cells[4] = 3;  // of the first z, of the only r
  cells[7] = 1;  // of the second one
  cells[0] = 6;  // outside
  const auto table = io::plane_table(view, 10, {{"program", "test"}});
  REQUIRE(table.columns.size() == 6);
  CHECK(table.columns[0].name == "z_lo");
  CHECK(std::get<std::vector<double>>(table.columns[0].values) == std::vector{-1., 0.});
  CHECK(std::get<std::vector<double>>(table.columns[4].values) == std::vector{0.3, 0.1});
  CHECK(std::get<std::vector<std::int64_t>>(table.columns[5].values) ==
        std::vector<std::int64_t>{3, 1});
  CHECK(table.metadata == io::Metadata{{"program", "test"}, {"histories", "10"}, {"outside", "6"}});
  const montecarlo::TallyDescription line{"line", {{"transverse", {0., 1., 1}}}, 3};
  CHECK_THROWS_AS(io::plane_table({line, cells}, 10, {}), UsageError);
}
