// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/detail/csv_lines.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <catch2/catch_test_macros.hpp>

#include <support/refusals.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

using namespace trackplex;
using namespace trackplex::io;
using test::check_refused;

namespace {

const std::vector<ColumnFormat> table_formats{{"event", "", ColumnType::int64},
                                              {"x", "mm", ColumnType::float32},
                                              {"p", "MeV/c", ColumnType::float64, true, false},
                                              {"name", "", ColumnType::string, false}};

Table table_of(const std::vector<ColumnFormat>& formats) {
  Table table{"rows", {}};
  for (const auto& format : formats)
    table.columns.emplace_back(format.name, format.unit, format.type);
  return table;
}

TableOfFile parse_rows(const std::string& text) {
  return parse_table_csv(text, "t.csv", table_formats);
}

auto parsing(const std::string& text) {
  return [=] { parse_rows(text); };
}

}  // namespace

TEST_CASE("a table is text with metadata, units and quotation marks", "[io][table]") {
  Table table = table_of(table_formats);
  table.metadata = {{"program", "x 1"}, {"input", R"({"a":"b: c"})"}};
  table.add_row(1, 0.1f, 0.1f, "plain");
  table.add_row(-2, std::vector<double>{1e-40, std::nan("")}, "a \"b\",\r\n# c");
  table.add_row(std::numeric_limits<std::int64_t>::min(), 0.f, -HUGE_VAL, "");
  const auto text = table_csv(table);
  CHECK(text ==
        "# program: x 1\n# input: {\"a\":\"b: c\"}\nevent,x[mm],p[MeV/c],name\n"
        "1,0.1,0.10000000149011612,\"plain\"\n-2,1e-40,nan,\"a \"\"b\"\",\r\n# c\"\n"
        "-9223372036854775808,0,-inf,\"\"\n");
  const auto again = parse_rows(text);
  CHECK(again.metadata == table.metadata);
  CHECK(again.lines == std::vector<std::size_t>{4, 5, 7});
  CHECK(table_csv(again).size() == text.size());
  CHECK(again.values<std::string>("name") == table.values<std::string>("name"));
}

TEST_CASE("numbers of tables come back with the same bits", "[io][table]") {
  Table table = table_of({table_formats.begin(), table_formats.begin() + 3});
  std::mt19937_64 random(5);
  while (table.rows() < 20000) {
    const auto bits = random();
    const auto x = std::bit_cast<float>(std::uint32_t(bits));
    table.add_row(std::bit_cast<std::int64_t>(bits), std::isfinite(x) ? x : 0.f,
                  std::bit_cast<double>(random()));
  }
  const auto again = parse_rows(table_csv(table));
  CHECK(again.values<std::int64_t>("event") == table.values<std::int64_t>("event"));
  std::size_t differences = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const double p = table.values<double>("p")[i], q = again.values<double>("p")[i];
    differences += std::bit_cast<std::uint32_t>(table.values<float>("x")[i]) !=
                   std::bit_cast<std::uint32_t>(again.values<float>("x")[i]);
    if (!std::isnan(p) || !std::isnan(q))
      differences += std::bit_cast<std::uint64_t>(p) != std::bit_cast<std::uint64_t>(q);
  }
  CHECK(differences == 0);
}

TEST_CASE("a table may have its columns in any order, without units", "[io][table]") {
  const auto table = parse_rows(
      "\xef\xbb\xbf# a comment\r\n\r\n p , \"x\" ,event\r\n+1e0, 2 ,3\r\n# in between\n4,5,6");
  CHECK(table.values<double>("p") == std::vector<double>{1., 4.});
  CHECK(table.values<float>("x") == std::vector<float>{2.f, 5.f});
  CHECK(table.values<std::int64_t>("event") == std::vector<std::int64_t>{3, 6});
  CHECK(table.lines == std::vector<std::size_t>{4, 6});
  CHECK(table.metadata == Metadata{{"", "a comment"}, {"", "in between"}});
  CHECK_FALSE(table.has("name"));
  CHECK(parse_rows("event,x,p\n").rows() == 0);
}

TEST_CASE("errors of tables have their line and column", "[io][table]") {
  const std::string header = "event,x[mm],p\n", good = "1,2,3\n";
  check_refused(parsing(""), "t.csv: line 1: the names of the columns are missing");
  check_refused(parsing("#\n\n"), "the names of the columns are missing");
  check_refused(parsing("event,x\n"), "t.csv: line 1: the column 'p' is missing");
  check_refused(parsing("\nevent,x,p,q\n"), "t.csv: line 2: there is no column 'q' (known: event");
  check_refused(parsing("event,x,p,x\n"), "t.csv: line 1: the column 'x' is there twice");
  check_refused(parsing("event,x[cm],p\n"),
                "t.csv: line 1: the column 'x' is in [cm] (expected [mm])");
  check_refused(parsing("event[1],x,p\n"), "the column 'event' is in [1] (it has no unit)");
  check_refused(parsing("event,x[mm,p\n"), "there is no column 'x[mm'");
  check_refused(parsing(header + good + "1,2\n"), "t.csv: line 3: 2 values (there are 3 columns)");
  check_refused(parsing(header + "1,2,3,\n"), "line 2: 4 values");
  check_refused(parsing(header + good + "\n1.5,2,3\n"),
                "t.csv: line 4, event: '1.5' is no integer of 64 bits");
  check_refused(parsing(header + "9223372036854775808,2,3\n"), "line 2, event: ");
  check_refused(parsing(header + "1,1e39,3\n"), "line 2, x: '1e39' is too large");
  check_refused(parsing(header + "1,\"2m\",3\n"), "line 2, x: '2m' is no number");
  check_refused(parsing(header + "1,nan,3\n"), "line 2, x: it is not finite");
  check_refused(parsing(header + "1,,3\n"), "line 2, x: '' is no number");
  check_refused(parsing("event,x,p,name\n1,2,3,\"a\n"), "line 2: a quotation mark is not closed");
  check_refused(parsing("event,x,p,name\n1,2,3,\"a\"b\n"), "line 2: text after a quotation mark");
}

TEST_CASE("no bytes make the reader of tables fail otherwise", "[io][table]") {
  Table table = table_of(table_formats);
  table.metadata = {{"key", "value"}};
  for (int i = 0; i < 3; ++i) table.add_row(i, i, i, "a,\"b\n");
  test::check_changed_anywhere(
      table_csv(table), [](const std::string& text) { parse_rows(text); }, 5000);
}

TEST_CASE("rows that do not fit a table are refused", "[io][table]") {
  Table table = table_of(table_formats);
  check_refused<UsageError>([&] { table.add_row(1, 2., 3.); }, "a row of 3 values");
  table.clear();
  check_refused<UsageError>([&] { table.add_row(1, 2., 3., "a", 5); }, "a row of 5 values");
  table.clear();
  check_refused<UsageError>([&] { table.add_row(1.5, 2., 3., "a"); },
                            "column event: a floating-point number");
  check_refused<UsageError>([&] { table.add_row("1", 2., 3., "a"); }, "column event: a text");
  table.clear();
  check_refused<UsageError>([&] { table.add_row(1, 2., 3., 4); }, "column name: a number");
  check_refused<UsageError>([&] { table_csv(table); }, "different lengths");
  table.clear();
  check_refused<CapacityError>([&] { table.add_row(UINT64_MAX, 2., 3., "a"); }, "do not fit");
  table.clear();
  check_refused<UsageError>([&] { (void)table.values<double>("x"); }, "no such column (x)");
  for (const Metadata& wrong : {Metadata{{"a", "b\nc"}}, {{"a:", "b"}}, {{"", "b"}}}) {
    table.metadata = wrong;
    check_refused<UsageError>([&] { table_csv(table); }, "metadata is not one line");
  }
  table.metadata.clear();
  for (const char* name : {"", "a,b", "a[b]", "a/b", "#a", "a b"}) {
    table.columns[0].name = name;
    check_refused<UsageError>([&] { table_csv(table); }, "name or unit");
  }
  check_refused<UsageError>([] { table_csv(Table{"empty", {}}); }, "there is no column");
}

TEST_CASE("parts of a file have the lines that begin in them", "[io][table]") {
  for (const std::string text :
       {"", "a", "a\n", "\n", "ab\n\ncd\n", "ab\ncd\r\n\n\nefghijkl\nm", "\n\n\n", "abcdefgh"}) {
    const trackplex::MemoryInput file("h\n" + text);
    for (std::size_t parts = 1; parts < 12; ++parts) {
      CAPTURE(text, parts);
      std::string found;
      for (std::size_t part = 0; part < parts; ++part) {
        const auto begin = [&](std::size_t i) { return 2 + i * text.size() / parts; };
        trackplex::io::detail::LinesOfPart lines(file, 2, begin(part), begin(part + 1));
        for (auto next = lines.next(); !next.empty(); next = lines.next()) {
          CHECK((next.back() == '\n' || found.size() + next.size() == text.size()));
          found += next;
        }
      }
      CHECK(found == text);
    }
  }
}
