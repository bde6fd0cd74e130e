// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/program/backend.hpp>
#include <trackplex/program/build_info.hpp>
#include <trackplex/program/timing.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::program {

using Json = nlohmann::ordered_json;

/// Results and times of one run.
struct RunReport {
  RunDescription run;
  Json results = Json::object();
  Json time_us = Json::object();         ///< median of each step, and of the total
  Json time_spread_us = Json::object();  ///< min, quartiles and max of the same
  Json rate = Json::object();            ///< for example events_per_s
  Json pipeline;                         ///< of a run through the pipeline; null: there was none

  void add_time(const std::string& step, const Spread& spread) {
    time_us[step] = spread.median;
    time_spread_us[step] = {{"min", spread.min},
                            {"lower_quartile", spread.lower_quartile},
                            {"upper_quartile", spread.upper_quartile},
                            {"max", spread.max}};
  }
};

/// The JSON report of a program. Fractions are fractions, not percent; times are in microseconds.
struct Report {
  std::string program;
  Json input = Json::object();
  std::vector<RunReport> runs;

  Report(std::string name, Json input_description)
      : program(std::move(name)), input(std::move(input_description)) {}

  /// The run's keys stand beside `program, version, git, input`. Where backends or lane widths were
  /// compared, they stand in `runs`, one object each, and the outer `results` are those of the
  /// first.
  Json to_json(const CommonOptions& options) const {
    Json json = {{"program", program}, {"version", TRACKPLEX_VERSION_STRING}, {"git", git_hash()}};
    if (!options.compares() && runs.size() == 1) {
      add_description(json, runs.front().run);
      json["input"] = input;
      add_outcome(json, runs.front());
      return json;
    }
    json["backend"] = options.backend;
    json["threads"] = max_threads();
    json["lanes"] = common_lanes() ? Json(common_lanes()) : Json("several");
    json["precision"] = options.precision;
    json["input"] = input;
    json["results"] = runs.empty() ? Json::object() : runs.front().results;
    json["runs"] = Json::array();
    for (const auto& run : runs) {
      Json object;
      add_description(object, run.run);
      add_outcome(object, run);
      json["runs"].push_back(std::move(object));
    }
    return json;
  }

 private:
  int max_threads() const {
    int most = 0;
    for (const auto& run : runs) most = std::max(most, run.run.threads);
    return most;
  }
  /// The lane width of all runs, or 0.
  int common_lanes() const {
    int lanes = runs.empty() ? 0 : runs.front().run.lanes;
    for (const auto& run : runs)
      if (run.run.lanes != lanes) lanes = 0;
    return lanes;
  }
  static void add_description(Json& json, const RunDescription& run) {
    json["backend"] = run.backend;
    json["threads"] = run.threads;
    json["lanes"] = run.lanes;
    json["precision"] = run.precision;
  }
  static void add_outcome(Json& json, const RunReport& run) {
    json["results"] = run.results;
    json["time_us"] = run.time_us;
    json["time_spread_us"] = run.time_spread_us;
    json["rate"] = run.rate;
    if (!run.pipeline.is_null()) json["pipeline"] = run.pipeline;
  }
};

using trackplex::write_file;

/// Writes the report where `--json` asks for one.
inline void write_report(const Report& report, const CommonOptions& options) {
  if (!options.json.empty()) write_file(options.json, report.to_json(options).dump(2) + "\n");
}

}  // namespace trackplex::program
