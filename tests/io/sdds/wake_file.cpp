// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/io/sdds/sdds.hpp>
#include <trackplex/io/sdds/wake_file.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <vector>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using io::parse_wake_table;

namespace {

const std::string head =
    "SDDS1\n"
    "!# little-endian\n"
    "&description text=\"a wake, of a \\\"cell\\\"\", &end\n"
    "&parameter name=Cells, type=long, &end\n"
    "&parameter name=Fixed, type=long, fixed_value=3, &end\n"
    "&column name=t, units=s,\n"
    "  type=double &end\n"
    "&column name=Label, type=string, &end\n"
    "&column name=W, type=double, units=\"V/C\", &end\n";
const std::string body =
    "17\n"
    "! a comment\n"
    "  3\n"
    "0 \"first one\" +2e13\n"
    "1e-13 b  -1.5e13\n"
    "2e-13 \"\" 3 \n";
const std::string data = "&data mode=ascii, &end\n";
const io::WakeColumns columns{.longitudinal = "W"};

void refuse(const std::string& text, const std::string& message,
            const io::WakeColumns& of = columns) {
  CAPTURE(text);
  test::check_refused<InputError>([&] { return parse_wake_table(text, "w.sdds", of); }, message);
}

/// The text with a part of it replaced.
std::string with(std::string text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  REQUIRE(at != text.npos);
  return text.replace(at, part.size(), by);
}

}  // namespace

TEST_CASE("A table of wakes is read", "[io]") {
  const auto check = [](const std::string& text) {
    CAPTURE(text);
    const auto table = parse_wake_table(text, "w.sdds", columns);
    CHECK(table.time == std::vector{0., 1e-13, 2e-13});
    CHECK(table.longitudinal == std::vector{2e13, -1.5e13, 3.});
    CHECK(table.x.empty());
    CHECK(table.y.empty());
  };
  const std::string whole = head + data + body;
  check(whole);
  check(whole + "\n! end\n");
  check(whole.substr(0, whole.size() - 2));  // no end of the last line
  std::string dos;
  for (const char c : whole) dos += c == '\n' ? "\r\n" : std::string(1, c);
  check(dos);
  check(whole + "18\n0\n");  // of several pages, the first
  check(with(head, "&column", "&array name=a, type=long, &end\n&column") + data +
        with(body, "17\n", "17\n1\n5\n"));
  for (const io::SddsFormat format : {io::SddsFormat{}, io::SddsFormat{.big_endian = true}})
    check(io::sdds_bytes(io::parse_sdds(whole, "w.sdds"), format));
  check(head + "&data mode=ascii, no_row_counts=1, &end\n" + with(body, "  3\n", "") + "\n");
  check(head + "&data mode=ascii, lines_per_row=0, &end\n" + with(body, "+2e13\n", "\n+2e13 "));
}

TEST_CASE("Errors of tables of wakes name file and line", "[io]") {
  const std::string whole = head + data + body;
  refuse("", "w.sdds: line 1: this is no SDDS file");
  refuse("SDDS9\n", "this is no SDDS file");
  refuse("SDDS1\n", "line 2: the header ends without &data");
  refuse("SDDS1\ncolumn\n", "line 2: a command of the header is expected");
  refuse("SDDS1\n&column name=t\n", "line 2: a command has no &end (column)");
  refuse("SDDS1\n&column name=t, &data\n", "line 2: a command has no &end (column)");
  refuse("SDDS1\n&column name &end\n", "line 2: a field name=value is expected (in column)");
  refuse("SDDS1\n&column name=t, &end\n", "line 2: a column without a name or a type");
  refuse("SDDS1\n&description text=\"a, &end\n", "line 2: a quotation mark is not closed");
  refuse(head + data, "w.sdds: the file has no page");
  refuse(head + "&data mode=binary, &end\n", "w.sdds: the file has no page");
  refuse(head + "&data &end\n1", "the file ends too early");
  refuse(head + data + "17\n", "line 12: the number of rows is expected (the file ends here)");
  refuse(with(whole, "  3\n", " three\n"), "line 13: the number of rows is expected ('three')");
  refuse(with(whole, "  3\n", " 3 4\n"), "line 13: text after the number of rows");
  refuse(with(whole, "  3\n", "99999999\n"), "too short for its number of rows");
  refuse(with(whole, "  3\n", "4\n"), "line 17: rows are missing");
  refuse(with(whole, "b  ", ""), "line 15: too few values (2 of 3)");
  refuse(with(whole, "-1.5e13", "-1.5e13 7"), "line 15: too many values (there are 3 columns)");
  refuse(with(whole, "-1.5e13", "1.5x"), "line 15: '1.5x' is no number (column W)");
  refuse(whole, "there is no column 'V' (it has: t, Label, W)", {.longitudinal = "V"});
  refuse(whole, "column Label: its values are no numbers (string)", {.x = "Label"});
  refuse(whole, "column W: its unit is not V/C/m (V/C)", {.y = "W"});
  refuse(with(whole, "units=s", "units=m"), "column t: its unit is not s (m)");
  test::check_refused<UsageError>(
      [&] { return parse_wake_table(with(whole, "2e-13", "3e-13"), "w.sdds", columns); },
      "w.sdds: the delays of a wake are not equally spaced (row 2");
  test::check_refused<UsageError>([&] { return parse_wake_table(whole, "w.sdds", {.time = ""}); },
                                  "the time has no name");
  test::check_refused<InputError>([] { return io::read_wake_table("/no/such.sdds", {}); },
                                  "cannot be opened");
}

TEST_CASE("Damaged tables of wakes are read or refused", "[io]") {
  const auto parse = [](const std::string& text) {
    try {
      parse_wake_table(text, "w.sdds", columns);
    } catch (const UsageError&) {  // another table
    }
  };
  test::check_changed_anywhere(head + data + body, parse, 3000);
  const std::string whole = head + data + body;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    try {
      parse(cut);
    } catch (const InputError&) {
    }
  }
}

TEST_CASE("Wakes have numbers of any type", "[io]") {
  const auto table = parse_wake_table(
      "SDDS1\n&column name=t, type=float &end\n&column name=W, type=short &end\n"
      "&data mode=ascii &end\n2\n0 3\n0.5 4\n",
      "w.sdds", columns);
  CHECK(table.time == std::vector{0., 0.5});
  CHECK(table.longitudinal == std::vector{3., 4.});
}

TEST_CASE("The wake of the reference sets is read", "[io]") {
  const auto table = io::read_wake_table(test::reference_or_skip("beam-elements/lattice/wake.sdds"),
                                         {.longitudinal = "W", .x = "WX", .y = "WY"});
  CHECK(table.points() == 201);
  CHECK(std::abs(table.spacing() - 1e-13) < 1e-27);
  CHECK(table.longitudinal[0] == 30000000000000.);
  CHECK(table.y[1] == 37035131957501.078);
}
