// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/io/sdds/sdds.hpp>
#include <trackplex/io/table.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/data.hpp"
#include "support/refusals.hpp"

using namespace trackplex;
using io::parse_sdds;
using io::SddsFile;
using io::SddsFormat;
using io::SddsType;

namespace {

const std::vector<SddsFormat> sdds_formats{{.ascii = true},
                                           {},
                                           {.big_endian = true},
                                           {.column_major = true},
                                           {.big_endian = true, .column_major = true}};

/// Values of a type, extreme ones among them.
io::ColumnValues values_of_sdds_type(SddsType type) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto integers = []<class T>(T) {
    using Limits = std::numeric_limits<T>;
    const auto max = std::int64_t(std::uint64_t(Limits::max()) & 0x7fff'ffff'ffff'ffffu);
    return io::ColumnValues(std::vector<std::int64_t>{std::int64_t(Limits::min()), 7, max});
  };
  switch (type) {
    case SddsType::int16:
      return integers(std::int16_t());
    case SddsType::uint16:
      return integers(std::uint16_t());
    case SddsType::int32:
      return integers(std::int32_t());
    case SddsType::uint32:
      return integers(std::uint32_t());
    case SddsType::int64:
      return integers(std::int64_t());
    case SddsType::uint64:
      return integers(std::uint64_t());
    case SddsType::float32:
      return std::vector<float>{-0.1f, std::numeric_limits<float>::denorm_min(), float(inf)};
    case SddsType::float64:
      return std::vector<double>{0.1, std::numeric_limits<double>::denorm_min(), -inf};
    case SddsType::longdouble:
      return std::vector<double>{-1. / 3., std::numeric_limits<double>::max(), inf};
    case SddsType::string:
      return std::vector<std::string>{"", "a \"b\" \\ ! c\n\t\x01", "µm"};
    case SddsType::character:
      break;
  }
  return std::vector<std::string>{"a", std::string(1, '\0'), "!"};
}

/// A value of a list, as a list.
io::ColumnValues one_sdds_value(const io::ColumnValues& values, std::size_t i) {
  return std::visit(
      [&](const auto& list) { return io::ColumnValues(std::decay_t<decltype(list)>{list[i]}); },
      values);
}

/// A file with a parameter, an array and a column of each type, and several pages.
SddsFile sdds_of_all_types(const std::vector<SddsType>& types, bool has_columns = true) {
  SddsFile file;
  file.header.text = "all \"types\", \\ and more";
  file.header.contents = "test";
  for (const auto type : types) {
    const std::string name(io::name_of(type));
    file.header.parameters.push_back({"p_" + name, type, "m", "$gb$r", "a \"text\""});
    file.header.arrays.push_back({.name = "a_" + name, .type = type, .dimensions = 2});
    if (has_columns) file.header.columns.push_back({"c_" + name, type, "V/C"});
  }
  file.header.parameters.push_back(
      {.name = "fixed", .type = SddsType::int32, .fixed_value = "-17"});
  file.header.parameters.push_back(
      {.name = "fixed_text", .type = SddsType::string, .fixed_value = ""});
  for (std::size_t page = 0; page < 3; ++page) {
    auto& to = file.pages.emplace_back();
    for (const auto type : types) {
      const auto values = values_of_sdds_type(type);
      to.parameters.push_back(one_sdds_value(values, page));
      if (page == 1)
        to.arrays.push_back({{0, 3}, io::empty_values(io::column_type_of(type))});
      else
        to.arrays.push_back(
            {{page == 0 ? std::size_t(3) : 1, page == 0 ? std::size_t(1) : 3}, values});
      if (!has_columns) continue;
      auto& column = to.table.columns.emplace_back("c_" + std::string(io::name_of(type)), "V/C",
                                                   io::column_type_of(type));
      if (page != 1) column.values = values;
    }
    to.parameters.push_back(std::vector<std::int64_t>{-17});
    to.parameters.push_back(std::vector<std::string>{""});
  }
  return file;
}

std::vector<SddsType> all_sdds_types() {
  std::vector<SddsType> types;
  for (std::size_t i = 0; i < io::sdds_type_names.size(); ++i) types.push_back(SddsType(i));
  return types;
}

void check_same_sdds(const SddsFile& a, const SddsFile& b) {
  CHECK(a.header.text == b.header.text);
  CHECK(a.header.contents == b.header.contents);
  const auto check_fields = [](const auto& x, const auto& y) {
    REQUIRE(x.size() == y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(x[i].name == y[i].name);
      CHECK(x[i].type == y[i].type);
      CHECK(x[i].units == y[i].units);
      CHECK(x[i].symbol == y[i].symbol);
      CHECK(x[i].description == y[i].description);
      CHECK(x[i].fixed_value == y[i].fixed_value);
      CHECK(x[i].dimensions == y[i].dimensions);
    }
  };
  check_fields(a.header.parameters, b.header.parameters);
  check_fields(a.header.arrays, b.header.arrays);
  check_fields(a.header.columns, b.header.columns);
  REQUIRE(a.pages.size() == b.pages.size());
  for (std::size_t page = 0; page < a.pages.size(); ++page) {
    CAPTURE(page);
    const auto &x = a.pages[page], &y = b.pages[page];
    CHECK(x.parameters == y.parameters);
    REQUIRE(x.arrays.size() == y.arrays.size());
    for (std::size_t i = 0; i < x.arrays.size(); ++i) {
      CHECK(x.arrays[i].extents == y.arrays[i].extents);
      CHECK(x.arrays[i].values == y.arrays[i].values);
    }
    REQUIRE(x.table.columns.size() == y.table.columns.size());
    for (std::size_t i = 0; i < x.table.columns.size(); ++i) {
      CHECK(x.table.columns[i].name == y.table.columns[i].name);
      CHECK(x.table.columns[i].unit == y.table.columns[i].unit);
      CHECK(x.table.columns[i].values == y.table.columns[i].values);
    }
  }
}

void refuse_sdds_text(const std::string& text, const std::string& message) {
  CAPTURE(text);
  test::check_refused<InputError>([&] { parse_sdds(text, "a.sdds"); }, message);
}

/// Bytes of numbers.
template <class... Numbers>
std::string bytes_of_numbers(Numbers... numbers) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
  return bytes;
}

const std::string sdds_head = "SDDS5\n!# little-endian\n";
const std::string sdds_binary = "&data mode=binary, &end\n";
const std::string sdds_columns =
    "&column name=n, type=long, &end\n&column name=x, type=double, &end\n";

}  // namespace

TEST_CASE("SDDS files of all types survive every format", "[io]") {
  for (const bool has_columns : {true, false}) {
    const auto file = sdds_of_all_types(all_sdds_types(), has_columns);
    for (const auto& format : sdds_formats) {
      CAPTURE(has_columns, format.ascii, format.big_endian, format.column_major);
      auto again = parse_sdds(io::sdds_bytes(file, format), "a.sdds");
      check_same_sdds(again, file);
      for (const auto& other : sdds_formats)
        check_same_sdds(parse_sdds(io::sdds_bytes(again, other), "a.sdds"), file);
    }
  }
  // rows of numbers alone are read as a block
  const auto numbers = sdds_of_all_types({SddsType::int16, SddsType::float64, SddsType::longdouble,
                                          SddsType::character, SddsType::float32});
  for (const auto& format : sdds_formats)
    check_same_sdds(parse_sdds(io::sdds_bytes(numbers, format), "a.sdds"), numbers);
}

TEST_CASE("SDDS files keep NaN, and are of the oldest version that has their types", "[io]") {
  for (const auto type : {SddsType::float32, SddsType::float64, SddsType::longdouble}) {
    auto file = sdds_of_all_types({type}, false);
    if (type == SddsType::float32)
      file.pages[0].parameters[0] = std::vector<float>{std::nanf("")};
    else
      file.pages[0].parameters[0] = std::vector<double>{std::nan("")};
    for (const auto& format : sdds_formats) {
      const auto again = parse_sdds(io::sdds_bytes(file, format), "a.sdds");
      std::visit(
          [](const auto& list) {
            if constexpr (!std::is_same_v<decltype(list[0]), const std::string&>)
              CHECK(std::isnan(double(list[0])));
          },
          again.pages[0].parameters[0]);
    }
  }
  const auto version = [](SddsType type, SddsFormat format = {}) {
    return io::sdds_bytes(sdds_of_all_types({type}), format).substr(0, 24);
  };
  CHECK(version(SddsType::float64) == "SDDS1\n!# little-endian\n&");
  CHECK(version(SddsType::uint16, {.big_endian = true}) == "SDDS2\n!# big-endian\n&des");
  CHECK(version(SddsType::float64, {.column_major = true}).substr(0, 7) == "SDDS3\n&");
  CHECK(version(SddsType::longdouble).substr(0, 7) == "SDDS4\n&");
  CHECK(version(SddsType::int64).substr(0, 7) == "SDDS5\n&");
  CHECK(version(SddsType::string, {.ascii = true}).substr(0, 7) == "SDDS1\n&");
}

TEST_CASE("SDDS texts are read as the format allows", "[io]") {
  const auto rows = [](const std::string& text) {
    CAPTURE(text);
    const auto file = parse_sdds(text, "a.sdds");
    REQUIRE(file.pages.size() == 1);
    return file.pages[0].table.values<double>("x");
  };
  const std::vector<double> one_two{1., 2.};
  const std::string columns =
      "&column name=x, type=double, &end\n&column name=s, type=string &end\n";
  const std::string start = "SDDS1\n" + columns, body = "1 a\n2 b\n";
  CHECK(rows(start + "&data mode=ascii, &end\n2\n" + body) == one_two);
  CHECK(rows(start + "&data mode=ascii &end\n! a page\n 2  ! rows\n" + body + "\n\n") == one_two);
  CHECK(rows(start + "&data mode=ascii, no_row_counts=1 &end\n" + body) == one_two);
  CHECK(rows(start + "&data mode=ascii, no_row_counts=1 &end\n" + body + " \n") == one_two);
  CHECK(rows(start + "&data mode=ascii, lines_per_row=0 &end\n2\n1\na 2 b") == one_two);
  CHECK(rows(start + "&data mode=ascii, lines_per_row=2 &end\n2\n1 !\na\n2\nb\n") == one_two);
  CHECK(rows(start + "&data mode=ascii, additional_header_lines=2 &end\nfirst\n! no\n2 x\n2\n" +
             body) == one_two);
  CHECK(rows("SDDS1\n&column name=x type=double field_length=3 &end\n"
             "&column name=s type=string, field_length=-4 &end\n"
             "&data mode=ascii fixed_row_count=1 &end\n9\n1  a b \n 2 b\n") == one_two);

  const auto file = parse_sdds(
      "SDDS1\n&parameter name=p, type=string, &end ! note\n&parameter name=q, type=string, &end\n"
      "&parameter name=r, type=character, &end\n&column name=s, type=string &end\n"
      "&data mode=ascii, no_row_counts=1 &end\n a \"long\" text \\! ! note\n\"quo\\\"ted\" "
      "\n\\041\n"
      "a\\n\\101\\!x\n\"\"\n\nnext\n\nb\n\n",
      "a.sdds");
  REQUIRE(file.pages.size() == 2);
  CHECK(*file.parameter<std::string>("p") == "a \"long\" text !");
  CHECK(*file.parameter<std::string>("q") == "quo\"ted");
  CHECK(*file.parameter<std::string>("r") == "!");
  CHECK(file.pages[0].table.values<std::string>("s") == std::vector<std::string>{"a\nA!x", ""});
  CHECK(*file.parameter<std::string>("p", 1) == "next");
  CHECK(file.parameter<std::string>("q", 1)->empty());
  CHECK(file.parameter<double>("p") == nullptr);
  CHECK(file.parameter<double>("t") == nullptr);
  CHECK(file.pages[1].table.rows() == 0);

  CHECK(parse_sdds("SDDS1\n&description text=\"a \\\\\"b\\\\\" c\" &end\n&data &end\n", "a")
            .header.text == "a \\\"b\\\" c");  // as the SDDS library copies quotation marks

  const auto empty = parse_sdds(
      "SDDS1\n&parameter name=p, type=long, fixed_value=3 &end\n&data mode=ascii &end\n\n", "a");
  REQUIRE(empty.pages.size() == 1);
  CHECK(*empty.parameter<std::int64_t>("p") == 3);
}

TEST_CASE("binary SDDS has numbers of rows of 64 bits, and pages that are not full", "[io]") {
  const auto long_count = bytes_of_numbers(std::numeric_limits<std::int32_t>::min(),
                                           std::int64_t(1), std::int32_t(3), 0.5);
  const auto file = parse_sdds(sdds_head + sdds_columns + sdds_binary + long_count, "a");
  CHECK(file.pages[0].table.values<std::int64_t>("n") == std::vector<std::int64_t>{3});
  CHECK(file.pages[0].table.values<double>("x") == std::vector{0.5});
  const auto rows = bytes_of_numbers(std::int32_t(1000), std::int32_t(3), 0.5);
  refuse_sdds_text(sdds_head + sdds_columns + sdds_binary + rows, "its number of rows is 1000");
  for (const std::string& head :
       {"SDDS5\n!# little-endian fixed-rowcount\n" + sdds_columns + sdds_binary,
        "SDDS5\n" + sdds_columns + "&data mode=binary, endian=little, fixed_row_count=1 &end\n"})
    CHECK(parse_sdds(head + rows, "a").pages[0].table.rows() == 1);
  const std::string text = "&column name=s, type=string, &end\n";
  const auto texts = bytes_of_numbers(std::int32_t(9), std::int32_t(1), 'a', std::int32_t(0));
  CHECK(parse_sdds("SDDS1\n!# fixed-rowcount\n" + text + sdds_binary + texts, "a")
            .pages[0]
            .table.values<std::string>("s") == std::vector<std::string>{"a", ""});
}

TEST_CASE("headers of SDDS include others", "[io]") {
  const auto folder = std::filesystem::temp_directory_path() / "trackplex_sdds_include";
  std::filesystem::create_directories(folder);
  write_file(folder / "a.sdds", "SDDS1\n&include filename=b, &end\n" + sdds_binary +
                                    bytes_of_numbers(std::int32_t(1), std::int32_t(3), 0.5));
  write_file(folder / "b", "! shared\n" + sdds_columns);
  write_file(folder / "c.sdds", "SDDS1\n&include filename=c, &end\n");
  write_file(folder / "c", "&include filename=c, &end\n");
  write_file(folder / "d.sdds", "SDDS1\n&include filename=none, &end\n");
  CHECK(io::read_sdds(folder / "a.sdds").pages[0].table.values<double>("x")[0] == 0.5);
  test::check_refused([&] { io::read_sdds(folder / "c.sdds"); }, "include each other without end");
  test::check_refused([&] { io::read_sdds(folder / "d.sdds"); }, "none: cannot be opened");
  // from the working folder where that of the file has none
  const auto before = std::filesystem::current_path();
  std::filesystem::create_directories(folder / "sub");
  std::filesystem::rename(folder / "a.sdds", folder / "sub" / "a.sdds");
  std::filesystem::current_path(folder);
  const auto found = io::read_sdds("sub/a.sdds");
  write_file(folder / "sub" / "b", sdds_columns);
  const auto both = io::read_sdds("sub/a.sdds");
  std::filesystem::current_path(before);
  CHECK(found.pages[0].table.values<double>("x")[0] == 0.5);
  CHECK(found.header.remarks.empty());
  REQUIRE(both.header.remarks.size() == 1);
  CHECK(both.header.remarks[0].find("not the other 'b' in the working folder") !=
        std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST_CASE("errors of SDDS name line, or byte and page", "[io]") {
  const std::string ascii = "&data mode=ascii, &end\n";
  refuse_sdds_text("", "a.sdds: line 1: this is no SDDS file");
  refuse_sdds_text("SDDS6\n", "its first line is not SDDS1 to SDDS5");
  refuse_sdds_text("SDDS1\n", "line 2: the header ends without &data; is this the whole file?");
  refuse_sdds_text("SDDS1\n&column name=t, type=real &end\n", "the type of 't' is none of SDDS");
  refuse_sdds_text("SDDS1\n&column name=t of run, type=long &end\n",
                   "line 2: a field name=value is expected (in column); values with blanks");
  refuse_sdds_text(sdds_head + sdds_columns + "&column name=x, type=long, &end\n" + ascii,
                   "line 5: the column 'x' is there twice");
  refuse_sdds_text("SDDS1\n&column name=t, type=long, field_length=x &end\n",
                   "the field field_length is no number that it can be (x)");
  refuse_sdds_text("SDDS1\n&array name=t, type=long, dimensions=0 &end\n", "dimensions is no");
  refuse_sdds_text("SDDS1\n&column name=t, type=long, field_length=9999999 &end\n", "too large");
  refuse_sdds_text("SDDS1\n&parameter name=t, type=short, fixed_value=7e9 &end\n",
                   "line 2: '7e9' is no short (parameter t)");
  refuse_sdds_text("SDDS1\n&include filename=a &end\n", "a text in memory cannot include files");
  refuse_sdds_text("SDDS1\n&data mode=hdf &end\n", "neither ascii nor binary (hdf)");
  refuse_sdds_text("SDDS1\n&data endian=middle &end\n", "neither big nor little (middle)");
  refuse_sdds_text("SDDS1\n!# big-endian\n!# little-endian\n&data &end\n", "both byte orders");
  refuse_sdds_text("SDDS1\n" + ascii + "1\n", "text after a header that defines no values");
  const std::string array = "SDDS1\n&array name=a, type=short, dimensions=2 &end\n" + ascii;
  refuse_sdds_text(array + "2\n", "line 4: dimensions of an array are missing (array a)");
  refuse_sdds_text(array + "9 9\n1 2\n", "line 4: the file is too short for its array");
  refuse_sdds_text(array + "9999999999999999999 9999999999999999999\n", "too short for its array");
  refuse_sdds_text(array + "1 2 3\n1 2\n", "text after the dimensions");
  refuse_sdds_text(array + "1 2\n1\n", "values of an array are missing");
  refuse_sdds_text(array + "1 2\n1 2 3\n", "line 5: text after the array a");
  refuse_sdds_text(array + "1 2\n1 40000\n", "line 5: '40000' is no short (array a)");
  const std::string table = sdds_head + sdds_columns + ascii;
  refuse_sdds_text(table + "-1\n", "line 6: the number of rows is expected ('-1')");
  refuse_sdds_text(table + "1152921504606846976\n1 2\n", "too short for its number of rows");
  refuse_sdds_text(table + "1\n1.5 2\n", "line 7: '1.5' is no long (column n)");
  refuse_sdds_text(table + "1\n1 2 3\n", "line 7: too many values (there are 2 columns)");
  refuse_sdds_text(table + "1\n1 \"2\n\"\n", "line 7: a quotation mark is not closed");

  const std::string head = sdds_head + sdds_columns + sdds_binary;
  const std::string at = std::to_string(head.size());
  const auto row = bytes_of_numbers(std::int32_t(3), 0.5);
  refuse_sdds_text(head + "ab", "a.sdds, byte " + at + ": the file ends too early");
  refuse_sdds_text(head + bytes_of_numbers(std::int32_t(-2)) + row,
                   "page 1, byte " + at + ": its number of rows is -2");
  refuse_sdds_text(head + bytes_of_numbers(std::int32_t(1 << 24)) + row,
                   "12 bytes are left); the file is damaged, or of another byte order");
  refuse_sdds_text(
      head + bytes_of_numbers(std::numeric_limits<std::int32_t>::min(), std::int64_t(1) << 60) +
          row,
      "its number of rows is 1152921504606846976");
  refuse_sdds_text(
      head + bytes_of_numbers(std::int32_t(1)) + row + bytes_of_numbers(std::int32_t(2)) + row,
      "page 2, byte " + std::to_string(head.size() + 16));
  const std::string texts = sdds_head + "&column name=s, type=string &end\n" + sdds_binary;
  refuse_sdds_text(texts + bytes_of_numbers(std::int32_t(1), std::int32_t(-1)),
                   "page 1, s, byte " + std::to_string(texts.size() + 4) + ": a text has -1 bytes");
  refuse_sdds_text(texts + bytes_of_numbers(std::int32_t(1), std::int32_t(8)), "a text has 8");
  const std::string numbers = sdds_head + "&parameter name=u, type=ulong64 &end\n" + sdds_binary;
  refuse_sdds_text(numbers + bytes_of_numbers(std::int32_t(0), std::uint64_t(1) << 63),
                   "page 1, u, byte " + std::to_string(numbers.size() + 4) + ": a number is 2^63");
  const std::string arrays =
      sdds_head + "&array name=a, type=double, dimensions=3 &end\n" + sdds_binary;
  constexpr auto big = std::int32_t(1) << 30;
  refuse_sdds_text(arrays + bytes_of_numbers(std::int32_t(0), big, big, big), "a dimension of the");
  refuse_sdds_text(arrays + bytes_of_numbers(std::int32_t(0), -1, 1, 1), "array is -1");
  refuse_sdds_text(arrays + bytes_of_numbers(std::int32_t(0), 1, 1, 2, 1.), "array is 2");
}

TEST_CASE("SDDS files that are not consistent are not written", "[io]") {
  const auto refuse = [](auto change, const std::string& message) {
    auto file = sdds_of_all_types(all_sdds_types());
    change(file);
    test::check_refused<UsageError>([&] { io::sdds_bytes(file); }, message);
  };
  refuse([](auto& f) { f.header.columns[1].name = f.header.columns[0].name; }, "have one name");
  refuse([](auto& f) { f.header.arrays[1].name.clear(); }, "a definition has no name (array)");
  refuse([](auto& f) { f.header.text = "a\\"; }, "a text of a header ends in a backslash");
  refuse([](auto& f) { f.pages[0].parameters.pop_back(); }, "not the parameters and arrays");
  refuse([](auto& f) { f.pages[0].table.columns.pop_back(); }, "not the columns");
  refuse([](auto& f) { f.pages[0].arrays[0].extents = {2, 2}; }, "another number of values");
  refuse([](auto& f) { f.pages[0].arrays[0].extents = {3}; }, "another number of dimensions");
  refuse([](auto& f) { f.pages[0].parameters[0] = std::vector{1.}; }, "values of another type");
  refuse([](auto& f) { f.pages[0].parameters[0] = std::vector<std::int64_t>{40000}; },
         "'p_short' has a number beyond short (40000)");
  refuse([](auto& f) { f.pages[0].parameters[10] = std::vector<std::string>{"ab"}; },
         "not one character");
}

TEST_CASE("damaged SDDS files are read or refused", "[io]") {
  const auto file = sdds_of_all_types(all_sdds_types());
  for (const auto& format : sdds_formats) {
    const auto bytes = io::sdds_bytes(file, format);
    const auto parse = [](const std::string& text) { parse_sdds(text, "a.sdds"); };
    test::check_changed_anywhere(bytes, parse, 1000);
    const auto head = bytes.find('\n', bytes.find("&data")) + 1;
    const auto start = bytes.substr(0, head);
    test::check_changed_anywhere(  // only the pages
        bytes.substr(head), [&](const std::string& text) { parse(start + text); }, 1000);
    for (std::size_t size = 0; size < bytes.size(); size += 3) {
      const std::string cut = bytes.substr(0, size);
      try {
        parse(cut);
      } catch (const InputError&) {
      }
    }
  }
}

TEST_CASE("SDDS files of elegant are read", "[io]") {
  const auto watch = io::read_sdds(test::data_or_skip("sdds/watch.sdds"));
  CHECK(watch.header.contents == "watch-point phase space");
  CHECK(*watch.parameter<std::string>("SVNVersion") == "GIT_2");
  CHECK(*watch.parameter<std::int64_t>("PreviousElementOccurence") == 1);
  REQUIRE(watch.pages.size() >= 1);
  CHECK(*watch.parameter<std::int64_t>("Particles") == std::int64_t(watch.pages[0].table.rows()));

  const auto beam = io::read_sdds(test::data_or_skip("sdds/beam_binary.sdds"));
  REQUIRE(beam.pages.size() == 1);
  CHECK(*beam.parameter<std::int64_t>("Particles") == std::int64_t(beam.pages[0].table.rows()));
  CHECK(beam.pages[0].table.values<double>("particleID")[0] == 1001.);

  const auto distribution = io::read_sdds(test::data_or_skip("sdds/distribution_ascii.sdds"));
  CHECK(*distribution.parameter<double>("Charge") == 1.);
  CHECK(distribution.pages[0].table.values<double>("p") == std::vector{1.});

  const auto multipoles = io::read_sdds(test::data_or_skip("sdds/multipoles_ascii.sdds"));
  CHECK(*multipoles.parameter<double>("referenceRadius") == 0.032);
  const auto& table = multipoles.pages[0].table;
  CHECK(table.rows() == 12);
  CHECK(table.values<std::int64_t>("order").back() == 13);
  CHECK(table.values<double>("an")[7] == 5e-4);
}

TEST_CASE("SDDS files of elegant's examples are read", "[io]") {
  const std::string from = "lattices/files/nikitakuklev+elegant__doc__examples__";
  const auto laser = io::read_sdds(  // big endian
      test::data_or_skip(from + "lsrMdltr__example2__latticeProf/laserProfile.sdds"));
  const auto& time = laser.pages[0].table.values<double>("t");
  REQUIRE(time.size() == 1000);
  CHECK(std::abs(time[1] - time[0] - (time[999] - time[0]) / 999.) < 1e-18);
  const auto impedance = io::read_sdds(test::data_or_skip(from + "PAR__CSR__par/csrZ.sdds"));
  CHECK(*impedance.parameter<std::int64_t>("N") > 0);
  CHECK(impedance.pages[0].table.values<double>("f")[0] == 0.);
  // fields without commas
  const auto field =
      io::read_sdds(test::data_or_skip(from + "cwiggler__cwiggler2__parTrack/By.sdds"));
  CHECK(field.pages[0].table.values<double>("KyOverKw") == std::vector{1., 2.2360679});
  const auto wave =
      io::read_sdds(test::data_or_skip(from + "PAR__ejectionOptimization__ejoptk/parkick.wf"));
  CHECK(wave.pages[0].table.rows() == 42);
  CHECK(wave.pages[0].table.values<double>("Waveform")[1] == 7.25e-3);
}
