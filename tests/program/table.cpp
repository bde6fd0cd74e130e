// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/table.hpp>

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

using namespace trackplex::program;

TEST_CASE("Columns are as wide as their widest cell; numbers stand to the right", "[table]") {
  Table table({"category", "n", "efficiency"});
  table.add_row({"velo", "12345", "95.62 %"});
  table.add_row({"a long name", "7", "-"});
  CHECK(table.text() ==
        "category         n  efficiency\n"
        "------------------------------\n"
        "velo         12345     95.62 %\n"
        "a long name      7           -\n");
}

TEST_CASE("A table without rows says so", "[table]") {
  CHECK(Table({"a", "b"}).text() == "a  b\n----\nThere is nothing to show here.\n");
}

TEST_CASE("A row of another number of cells is refused", "[table]") {
  Table table({"a", "b"});
  CHECK_THROWS_AS(table.add_row({"1"}), std::invalid_argument);
  CHECK_THROWS_AS(table.add_row({"1", "2", "3"}), std::invalid_argument);
}

TEST_CASE("Objects are rows, their values are formatted by column", "[table]") {
  const Json objects = {{{"name", "a"}, {"n", 12}, {"time", {{"low", 1.5}, {"high", 2.25}}}},
                        {{"name", "b"}, {"n", nullptr}, {"share", 0.25}}};
  CHECK(table_of(objects, {{"what", "name"},
                           {"n", "n"},
                           {"time", "time/low time/high", "{:.1f}..{:.2f}"},
                           {"share", "share", "{:.0f} %", 100.}}) ==
        "what   n       time  share\n"
        "--------------------------\n"
        "a     12  1.5..2.25      -\n"
        "b      -          -   25 %\n");
}

TEST_CASE("Objects of an object have their keys as names", "[table]") {
  const Json objects = {{"a", {{"n", 1}}}, {"b", {{"n", 2}}}};
  CHECK(table_of(objects, {{"name", ""}, {"n", "n"}}) == "name  n\n-------\na     1\nb     2\n");
}

TEST_CASE("Fractions are printed as percent", "[table]") {
  CHECK(percent(0.5) == "50.00 %");
  CHECK(percent(2273., 2377.) == "95.62 %");
  CHECK(percent(0., 7.) == "0.00 %");
  CHECK(percent(0., 0.) == "-");
  CHECK(fraction(1., 4.) == 0.25);
  CHECK(fraction(0., 0.).is_null());
}
