// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/program/options.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <vector>

using namespace trackplex::program;

namespace {

/// Parses a command line of common options only.
CommonOptions parse_common(std::vector<std::string> arguments, CommonOptions defaults = {}) {
  CLI::App app("A test", "test");
  add_common_options(app, defaults);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  app.parse(reversed);
  return defaults;
}

}  // namespace

TEST_CASE("Without arguments the options have their defaults", "[options]") {
  const auto options = parse_common({});
  CHECK(options.backend == default_backend());
  CHECK(options.threads == 0);
  CHECK(options.lanes == "default");
  CHECK(options.precision == "float");
  CHECK(options.repeat == 5);
  CHECK(options.seed == 1);
  CHECK(options.json.empty());
  CHECK_FALSE(options.quiet);
  CHECK_FALSE(options.compares());
}

TEST_CASE("A program may have defaults of its own", "[options]") {
  CommonOptions defaults;
  defaults.precision = "double";
  defaults.backend = "serial";
  const auto options = parse_common({"--repeat", "2"}, defaults);
  CHECK(options.precision == "double");
  CHECK(options.backend == "serial");
  CHECK(options.repeat == 2);
}

TEST_CASE("A program may name the option of the number type", "[options]") {
  CLI::App app("A test", "test");
  CommonOptions options;
  std::string precision;
  app.add_option("--precision", precision);
  add_common_options(app, options, "--real");
  app.parse("--precision 1e-4 --real double");
  CHECK(precision == "1e-4");
  CHECK(options.precision == "double");
}

TEST_CASE("Each option is taken in", "[options]") {
  const auto options = parse_common({"--backend", "all", "--threads", "3", "--lanes", "1",
                                     "--precision", "double", "--repeat", "7", "--seed",
                                     "18446744073709551615", "--json", "a.json", "--quiet"});
  CHECK(options.backend == "all");
  CHECK(options.threads == 3);
  CHECK(options.lanes == "1");
  CHECK(options.precision == "double");
  CHECK(options.repeat == 7);
  CHECK(options.seed == 18446744073709551615u);
  CHECK(options.json == "a.json");
  CHECK(options.quiet);
  CHECK(options.compares());
}

TEST_CASE("All lane widths are a comparison too", "[options]") {
  CHECK(parse_common({"--backend", "serial", "--lanes", "all"}).compares());
}

TEST_CASE("Values that an option does not have are refused", "[options]") {
  const auto arguments = GENERATE(
      std::vector<std::string>{"--backend", "fpga"}, std::vector<std::string>{"--lanes", "3"},
      std::vector<std::string>{"--lanes", "08"}, std::vector<std::string>{"--threads", "0"},
      std::vector<std::string>{"--threads", "-1"}, std::vector<std::string>{"--threads", "two"},
      std::vector<std::string>{"--precision", "half"}, std::vector<std::string>{"--repeat", "0"},
      std::vector<std::string>{"--threads", "600"}, std::vector<std::string>{"--threads", "nan"},
      std::vector<std::string>{"--seed", "18446744073709551616"},
      std::vector<std::string>{"--seed", "-1"}, std::vector<std::string>{"--backend"},
      std::vector<std::string>{"--unknown"}, std::vector<std::string>{"stray"});
  CAPTURE(arguments);
  CHECK_THROWS_AS(parse_common(arguments), CLI::ParseError);
}

TEST_CASE("The message names what an option may be", "[options]") {
  try {
    parse_common({"--lanes", "3"});
    FAIL("no exception");
  } catch (const CLI::ParseError& error) {
    using Host = Kokkos::DefaultHostExecutionSpace;
    const std::string best = std::to_string(trackplex::default_lane_width<Host, double>) + ", " +
                             std::to_string(trackplex::default_lane_width<Host, float>);
    CHECK(std::string(error.what()) == "--lanes: '3' is not one of 1, " + best + ", default, all");
  }
}

TEST_CASE("The help has groups, examples and the exit status", "[options]") {
  CLI::App app("A test", "test");
  CommonOptions options;
  add_common_options(app, options);
  add_examples(app, {{"test --backend all", "compares the backends"}});
  const auto help = app.help();
  for (const char* words :
       {"How to run:", "Output:", "Information:", "--backend", "--threads", "--lanes",
        "--precision", "--repeat", "--seed", "--json", "--quiet", "--version",
        "Examples:\n  test --backend all\n      compares", "Exit status:"}) {
    CAPTURE(words);
    CHECK(help.find(words) != std::string::npos);
  }
}

TEST_CASE("The version line names revision, Kokkos and backends", "[options]") {
  const auto line = version_line("test");
  CHECK(line.starts_with("test (Trackplex " TRACKPLEX_VERSION_STRING ", revision "));
  CHECK(line.find(std::string(git_hash())) != std::string::npos);
  for (const auto& backend : built_backends()) CHECK(line.find(backend) != std::string::npos);
}
