// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/pipeline_options.hpp>

#include <CLI/CLI.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace trackplex::program;

namespace {

PipelineRunOptions parse_pipeline(std::vector<std::string> arguments,
                                  PipelineRunOptions options = {}) {
  CLI::App app("A test", "test");
  Outputs outputs;
  add_pipeline_options({app, outputs, "Pipeline"}, options);
  app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  return options;
}

constexpr std::size_t mega = 1 << 20;

}  // namespace

TEST_CASE("Sizes are bytes, or powers of 1024", "[pipeline_options]") {
  const std::vector<std::pair<std::string, std::size_t>> sizes = {
      {"4096", 4096},     {"17B", 17},       {"64K", 65536},     {"256M", 256 * mega},
      {"2MiB", 2 * mega}, {"2MB", 2 * mega}, {"1T", mega * mega}};
  for (const auto& [text, bytes] : sizes) {
    CAPTURE(text);
    CHECK(parse_pipeline({"--memory", text}).memory_per_slot() == bytes);
  }
  for (const char* text : {"", "0", "-1M", "12X", "1MM", "nan", "inf", "99999999999T"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_pipeline({"--memory", text}), CLI::ParseError);
  }
}

TEST_CASE("Without arguments there is no pipeline", "[pipeline_options]") {
  const auto options = parse_pipeline({});
  CHECK_FALSE(options.uses_pipeline());
  CHECK(options.batch({}, 0) == 10);
  CHECK(options.memory_per_slot() == 256 * mega);
  CHECK_NOTHROW(options.check());
}

TEST_CASE("Each option of the pipeline is taken in", "[pipeline_options]") {
  const auto options = parse_pipeline({"--slots", "3", "--events-per-batch", "7", "--memory", "2G",
                                       "--trace", "t.json", "--sequence", "s.json"});
  CHECK(options.slots == 3);
  CHECK(options.uses_pipeline());
  CHECK(options.batch({}, 0) == 7);
  CHECK(options.memory_per_slot() == 2048 * mega);
  CHECK(options.trace == "t.json");
  CHECK(options.sequence == "s.json");
  CHECK_NOTHROW(options.check());
  CHECK(parse_pipeline({"--list-algorithms"}).list_algorithms);
}

TEST_CASE("The size of a batch has a short name, and defaults by threads and for devices",
          "[pipeline_options]") {
  const PipelineRunOptions defaults{.events_per_thread = 3, .events_per_device = 50};
  const trackplex::program::RunDescription one{.threads = 1}, four{.threads = 4},
      device{.threads = 1, .on_host = false};
  const auto options = parse_pipeline({}, defaults);
  CHECK(options.batch(one, 0) == 3);
  CHECK(options.batch(four, 0) == 12);
  CHECK(options.batch(four, 1) == 12);
  CHECK(options.batch(four, 4) == 3);
  CHECK(options.batch(device, 2) == 50);
  CHECK(parse_pipeline({}, defaults).fingerprint_batch() == 3);
  for (const auto& run : {one, four, device})
    CHECK(parse_pipeline({"--batch", "5"}, defaults).batch(run, 1) == 5);
}

TEST_CASE("A farm has a slot for each thread unless told otherwise", "[pipeline_options]") {
  const trackplex::program::RunDescription four{.threads = 4},
      device{.threads = 1, .on_host = false};
  CHECK(parse_pipeline({}).slots_of_farm(four) == 4);
  CHECK(parse_pipeline({}).slots_of_farm(device) == 2);
  CHECK(parse_pipeline({"--slots", "3"}).slots_of_farm(four) == 3);
}

TEST_CASE("Values that an option of the pipeline does not have are refused", "[pipeline_options]") {
  const auto arguments = GENERATE(
      std::vector<std::string>{"--slots", "0"}, std::vector<std::string>{"--slots", "-1"},
      std::vector<std::string>{"--slots"}, std::vector<std::string>{"--events-per-batch", "0"},
      std::vector<std::string>{"--batch", "x"}, std::vector<std::string>{"--memory", "big"},
      std::vector<std::string>{"--memory", "0"}, std::vector<std::string>{"--trace", "trace.txt"},
      std::vector<std::string>{"--trace", ".json"});
  CAPTURE(arguments);
  CHECK_THROWS_AS(parse_pipeline(arguments), CLI::ParseError);
}

TEST_CASE("Options that would have no effect are errors", "[pipeline_options]") {
  const auto arguments = GENERATE(std::vector<std::string>{"--trace", "t.json"},
                                  std::vector<std::string>{"--sequence", "s.json"},
                                  std::vector<std::string>{"--memory", "1M"});
  CAPTURE(arguments);
  const auto options = parse_pipeline(arguments);
  try {
    options.check();
    FAIL("no exception");
  } catch (const trackplex::UsageError& error) {
    CHECK(std::string(error.what()).starts_with(arguments[0] + ": has no effect"));
  }
  CHECK_NOTHROW(parse_pipeline({"--memory", "1M", "--slots", "2"}).check());
}

TEST_CASE("The help has a group for the pipeline", "[pipeline_options]") {
  CLI::App app("A test", "test");
  Outputs outputs;
  PipelineRunOptions options;
  add_pipeline_options({app, outputs, "Pipeline"}, options);
  const auto help = app.help();
  for (const char* words : {"Pipeline:", "--slots", "--events-per-batch", "--batch", "--memory",
                            "256M", "--trace", "--sequence", "--list-algorithms"}) {
    CAPTURE(words);
    CHECK(help.find(words) != std::string::npos);
  }
}
