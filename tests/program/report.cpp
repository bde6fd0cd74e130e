// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/program/report.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace trackplex::program;

namespace {

RunReport run_report(const std::string& backend, int threads, int lanes) {
  RunReport run;
  run.run = {backend, threads, lanes, "float"};
  run.results = {{"tracks", 12}};
  run.add_time("fit", {2., 1., 1.5, 3., 4.});
  run.rate["events_per_s"] = 500.;
  return run;
}

std::vector<std::string> keys_of(const Json& json) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return keys;
}

}  // namespace

TEST_CASE("The report of one run has its keys beside those of the program", "[report]") {
  Report report("test", {{"kind", "none"}});
  report.runs = {run_report("serial", 1, 8)};
  CommonOptions options;
  options.backend = "serial";
  const auto json = report.to_json(options);
  CHECK(keys_of(json) == std::vector<std::string>{"program", "version", "git", "backend", "threads",
                                                  "lanes", "precision", "input", "results",
                                                  "time_us", "time_spread_us", "rate"});
  CHECK(json["program"] == "test");
  CHECK(json["version"] == TRACKPLEX_VERSION_STRING);
  CHECK(json["backend"] == "serial");
  CHECK(json["threads"] == 1);
  CHECK(json["lanes"] == 8);
  CHECK(json["precision"] == "float");
  CHECK(json["input"]["kind"] == "none");
  CHECK(json["results"]["tracks"] == 12);
  CHECK(json["time_us"]["fit"] == 2.);
  CHECK(json["time_spread_us"]["fit"]["upper_quartile"] == 3.);
  CHECK(json["rate"]["events_per_s"] == 500.);
}

TEST_CASE("A comparison has one object per run", "[report]") {
  Report report("test", Json::object());
  report.runs = {run_report("serial", 1, 8), run_report("openmp", 2, 8)};
  CommonOptions options;
  options.backend = "all";
  const auto json = report.to_json(options);
  CHECK(json["backend"] == "all");
  CHECK(json["threads"] == 2);
  CHECK(json["lanes"] == 8);
  CHECK(json["results"]["tracks"] == 12);
  CHECK_FALSE(json.contains("time_us"));
  REQUIRE(json["runs"].size() == 2);
  CHECK(keys_of(json["runs"][1]) == std::vector<std::string>{"backend", "threads", "lanes",
                                                             "precision", "results", "time_us",
                                                             "time_spread_us", "rate"});
  CHECK(json["runs"][1]["backend"] == "openmp");
  CHECK(json["runs"][1]["threads"] == 2);
}

TEST_CASE("A comparison of lane widths says that there are several", "[report]") {
  Report report("test", Json::object());
  report.runs = {run_report("serial", 1, 1), run_report("serial", 1, 8)};
  CommonOptions options;
  options.backend = "serial";
  options.lanes = "all";
  const auto json = report.to_json(options);
  CHECK(json["lanes"] == "several");
  CHECK(json["runs"].size() == 2);
}

TEST_CASE("The report is written where it is asked for", "[report]") {
  Report report("test", Json::object());
  report.runs = {run_report("serial", 1, 8)};
  CommonOptions options;
  options.backend = "serial";
  write_report(report, options);  // nowhere
  const auto path = std::filesystem::temp_directory_path() / "trackplex-test-report.json";
  options.json = path.string();
  write_report(report, options);
  std::ifstream file(path);
  CHECK(Json::parse(file) == report.to_json(options));
  file.close();
  std::filesystem::remove(path);
}

TEST_CASE("A file that cannot be written is an error with its name", "[report]") {
  try {
    write_file("/nonexistent-folder/file", "text");
    FAIL("no exception");
  } catch (const trackplex::Error& error) {
    CHECK(std::string(error.what()).starts_with("/nonexistent-folder/file: cannot be written"));
  }
}
