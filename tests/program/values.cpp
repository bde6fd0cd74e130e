// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/values.hpp>

#include <support/refusals.hpp>

#include <CLI/CLI.hpp>
#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace trackplex::program;

namespace {

struct Values {
  int count = 0;
  std::uint64_t large = 0;
  double number = 0.;
  std::pair<double, double> pair{0., 0.};
};

Values parse_values(std::vector<std::string> arguments) {
  CLI::App app("A test", "test");
  Values values;
  app.add_option("--count", values.count)->transform(whole_number(1, 1'000'000));
  app.add_option("--large", values.large)
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
  app.add_option("--number", values.number)->transform(finite_number(-20., 1e4, "GeV"));
  app.add_option("--pair", values.pair)->transform(finite_number(0., 1.));
  app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  return values;
}

std::string refusal_of(std::vector<std::string> arguments) {
  try {
    parse_values(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("Counts are whole numbers in any form", "[values]") {
  const std::vector<std::pair<std::string, int>> counts = {
      {"1", 1},    {"1000000", 1000000}, {"1e5", 100000},   {"1E5", 100000},      {"2.5e3", 2500},
      {"+7", 7},   {"007", 7},           {"1e+2", 100},     {"12.0", 12},         {"1200e-2", 12},
      {".5e1", 5}, {"1.e3", 1000},       {"0.00001e6", 10}, {"1000000.", 1000000}};
  for (const auto& [text, value] : counts) {
    CAPTURE(text);
    CHECK(parse_values({"--count", text}).count == value);
  }
  CHECK(parse_values({"--large", "18446744073709551615"}).large == 18446744073709551615u);
  CHECK(parse_values({"--large", "1e19"}).large == 10000000000000000000u);
  CHECK(parse_values({"--large=-0"}).large == 0);
}

TEST_CASE("What is no count is refused", "[values]") {
  for (const char* text : {"", "nan", "inf", "-inf", "1.5", "1e-1", "e3", "1e", "1e+-3", "0x10",
                           "1 000", " 1", "1,000", "many", "1e5x", "--1", ".", "1..2"}) {
    CAPTURE(text);
    CHECK(refusal_of({"--count", text}) ==
          "--count: '" + std::string(text) + "' is not a whole number");
  }
  for (const char* text : {"0", "-1", "1000001", "1e7", "1e400", "1e99999999999", "4294967297",
                           "18446744073709551617", "-1e400"}) {
    CAPTURE(text);
    CHECK(refusal_of({"--count=" + std::string(text)}) ==
          "--count: " + std::string(text) + " is out of range (1 to 1000000)");
  }
  CHECK(refusal_of({"--large", "18446744073709551616"}) ==
        "--large: 18446744073709551616 is out of range (0 to 18446744073709551615)");
}

TEST_CASE("Numbers are finite and in their range", "[values]") {
  const std::vector<std::pair<std::string, double>> numbers = {
      {"1.5", 1.5}, {"-20", -20.}, {"1e4", 1e4}, {"+2", 2.}, {".25", 0.25}, {"1e-300", 1e-300}};
  for (const auto& [text, value] : numbers) {
    CAPTURE(text);
    CHECK(parse_values({"--number=" + text}).number == value);
  }
  for (const char* text :
       {"nan", "-nan", "NAN", "nan(1)", "inf", "-inf", "infinity", "0x1p3", "1.5m", "e", "1e"}) {
    CAPTURE(text);
    CHECK(refusal_of({"--number=" + std::string(text)}).ends_with("' is not a number"));
  }
  for (const char* text : {"-20.001", "10001", "1e400", "-1e400"}) {
    CAPTURE(text);
    CHECK(refusal_of({"--number=" + std::string(text)}) ==
          "--number: " + std::string(text) + " is out of range (-20 to 10000 GeV)");
  }
}

TEST_CASE("Both numbers of a pair are checked", "[values]") {
  CHECK(parse_values({"--pair", "0.5", "1"}).pair == std::pair{0.5, 1.});
  CHECK(refusal_of({"--pair", "0.5", "nan"}) == "--pair: 'nan' is not a number");
  CHECK(refusal_of({"--pair", "2", "1"}) == "--pair: 2 is out of range (0 to 1)");
}
