// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/report.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace trackplex::program;

namespace {

RunReport run_report(const std::string& backend, int threads, int lanes, double total,
                     const std::string& precision = "float", const std::string& hash = "ab") {
  RunReport run{.run = {backend, threads, lanes, precision}, .hash = hash};
  run.time_us = {{"fit", {total / 2., 1., 1.5, 3., 4.}}, {"total", {total, 1., 1.5, 3., 4.}}};
  run.rate["events_per_s"] = 500.;
  return run;
}

}  // namespace

TEST_CASE("A run is written with its times", "[report]") {
  auto run = run_report("serial", 1, 8, 2.);
  Json json;
  run.write(json);
  CHECK(json["backend"] == "serial");
  CHECK(json["threads"] == 1);
  CHECK(json["lanes"] == 8);
  CHECK(json["precision"] == "float");
  CHECK_FALSE(json.contains("results"));
  CHECK(json["time_us"] == Json{{"fit", 1.}, {"total", 2.}});
  CHECK(json["time_spread_us"]["fit"]["upper_quartile"] == 3.);
  CHECK(json["rate"]["events_per_s"] == 500.);
  CHECK_FALSE(json.contains("pipeline"));
  CHECK(run.name() == "serial, float, 8 lanes, 1 thread");
}

TEST_CASE("A run that was written is read back", "[report]") {
  auto run = run_report("openmp", 2, 8, 2.);
  run.results = {{"tracks", 3}};
  run.work = "search";
  run.data = "events";
  run.compared = "3 lost";
  const auto again = RunReport::from_message(run.to_message());
  CHECK(again.run == run.run);
  CHECK(again.data == "events");
  CHECK(again.compared == "3 lost");
  CHECK(again.to_json() == run.to_json());
}

TEST_CASE("Lists of numbers are written in lines of up to 100 columns", "[report]") {
  Json json = {
      {"name", "a"}, {"none", nullptr}, {"empty", Json::array()}, {"words", {"b, c", "d"}}};
  for (int i = 0; i < 300; ++i) json["plot"]["x"].push_back(i % 7 == 0 ? Json() : Json(i / 7.));
  json["pairs"] = {{1, 2}, {3, 4.5}};
  const auto text = json_text(json);
  CAPTURE(text);
  CHECK(Json::parse(text) == json);
  CHECK(text.find("\"pairs\": [[1, 2], [3, 4.5]]") != std::string::npos);
  std::istringstream lines(text);
  std::size_t n = 0, longest = 0;
  for (std::string line; std::getline(lines, line); ++n) longest = std::max(longest, line.size());
  CHECK(longest <= 100);
  CHECK(n < 80);
}

TEST_CASE("Runs are compared with the first of their precision", "[report]") {
  std::vector<RunReport> runs = {run_report("serial", 1, 1, 8.), run_report("serial", 1, 8, 2.),
                                 run_report("openmp", 2, 8, 1., "float", "cd"),
                                 run_report("openmp", 2, 4, 3., "double", "ef")};
  compare_runs(runs);
  CHECK_FALSE(runs[0].same_bits.has_value());
  CHECK(runs[1].same_bits == true);
  CHECK(runs[2].same_bits == false);
  CHECK_FALSE(runs[3].same_bits.has_value());
  CHECK(runs[0].speed_up.at("total") == 1.);
  CHECK(runs[1].speed_up.at("total") == 4.);
  CHECK(runs[2].speed_up.at("fit") == 8.);
  runs[1].compared = "1 lost";
  compare_runs(runs);
  CHECK(runs[1].same_bits == false);
  CHECK(runs[3].speed_up.empty());  // no serial run of this precision
}

TEST_CASE("Times have four digits, however short they are", "[report]") {
  using detail::time_text;
  CHECK(time_text(1234.6) == "1235");
  CHECK(time_text(61.7) == "61.70");
  CHECK(time_text(1.) == "1.000");
  CHECK(time_text(0.00045849) == "0.0004585");
  CHECK(time_text(0.) == "0.000");
}

TEST_CASE("The table has all steps of one run, the totals of several", "[report]") {
  std::vector<RunReport> runs = {run_report("serial", 1, 1, 1234.)};
  compare_runs(runs);
  const auto one = runs_table(runs, "event");
  CAPTURE(one);
  CHECK(one.find("us per event") != std::string::npos);
  CHECK(one.find("fit ") != std::string::npos);
  CHECK(one.find("1234") != std::string::npos);
  runs.push_back(run_report("openmp", 2, 8, 61.7, "float", "cd"));
  compare_runs(runs);
  const auto two = runs_table(runs, "event");
  CAPTURE(two);
  CHECK(two.find("fit") == std::string::npos);
  CHECK(two.find("20.00   ") != std::string::npos);
  CHECK(two.find("NO") != std::string::npos);
}

TEST_CASE("The report says what it was made with", "[report]") {
  const auto json = surroundings();
  CHECK(json["date"].get<std::string>().size() == std::string("2000-01-01T00:00:00Z").size());
  CHECK_FALSE(json["compiler"].get<std::string>().empty());
  CHECK(json["kokkos"].get<std::string>().find('.') != std::string::npos);
}
