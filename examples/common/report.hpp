// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The report of a program, as docs/guide/reports.md describes it, and the table of its runs.

#include <common/build.hpp>
#include <common/run.hpp>
#include <common/table.hpp>
#include <common/timing.hpp>
#include <trackplex/version.hpp>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trackplex::program {

using Json = nlohmann::ordered_json;

inline Json to_json(const Spread& s) {
  return {{"min", s.min},
          {"lower_quartile", s.lower_quartile},
          {"upper_quartile", s.upper_quartile},
          {"max", s.max}};
}

/// One run: where and how fast, and what it gave.
struct RunReport {
  RunDescription run;
  std::string work{};                        ///< what is run, where a program runs several things
  std::string data{};                        ///< what on, where they have input of their own
  std::string hash{};                        ///< of the complete output
  Json results{};                            ///< where they are not those of the first run
  Times time_us{};                           ///< of each step, and in total
  Json rate = Json::object();                ///< for example events_per_s
  Json pipeline{};                           ///< of a run through the pipeline
  std::optional<bool> same_bits{};           ///< as the first run of this precision on these data
  std::map<std::string, double> speed_up{};  ///< of steps, over serial with one lane and thread

  const Spread* time(const std::string& step) const {
    for (const auto& [name, spread] : time_us)
      if (name == step) return &spread;
    return nullptr;
  }

  std::string name() const {
    return fmt::format("{}{}{}, {}, {} lane{}, {} thread{}", work, work.empty() ? "" : ", ",
                       run.backend, run.precision, run.lanes, run.lanes == 1 ? "" : "s",
                       run.threads, run.threads == 1 ? "" : "s");
  }

  void write(Json& json) const {
    json["backend"] = run.backend;
    json["threads"] = run.threads;
    json["lanes"] = run.lanes;
    json["precision"] = run.precision;
    if (!results.is_null()) json["results"] = results;
    json["time_us"] = Json::object();
    json["time_spread_us"] = Json::object();
    for (const auto& [step, spread] : time_us) {
      json["time_us"][step] = spread.median;
      json["time_spread_us"][step] = program::to_json(spread);
    }
    json["rate"] = rate;
    if (!pipeline.is_null()) json["pipeline"] = pipeline;
  }

  Json to_json() const {
    Json json;
    if (!work.empty()) json["work"] = work;
    json["hash"] = hash;
    json["same_bits"] = same_bits ? Json(*same_bits) : Json();
    write(json);
    json["speed_up"] = speed_up;
    return json;
  }
};

/// Compares the runs of each precision on the same data with the first of them: bits, and times of
/// each work with those of one lane on one thread of Serial.
inline void compare_runs(std::vector<RunReport>& runs) {
  for (auto& run : runs) {
    const RunReport *first = nullptr, *base = nullptr;
    for (const auto& other : runs) {
      if (other.run.precision != run.run.precision || other.data != run.data) continue;
      if (first == nullptr) first = &other;
      const bool is_base = other.run.backend == "serial" && other.run.lanes == 1;
      if (base == nullptr && is_base && other.work == run.work) base = &other;
    }
    if (first != &run) run.same_bits = first->hash == run.hash;
    if (base == nullptr) continue;
    for (const auto& [step, spread] : run.time_us)
      if (const auto* slow = base->time(step); slow != nullptr && spread.median > 0.)
        run.speed_up[step] = slow->median / spread.median;
  }
}

namespace detail {
/// Four digits, with trailing zeros: numbers of a column can be compared.
inline std::string time_text(double value) {
  return fmt::format("{:.{}f}", value,
                     value >= 1000.  ? 0
                     : value >= 100. ? 1
                     : value >= 10.  ? 2
                                     : 3);
}
}  // namespace detail

/// The table of all runs: all steps of one run, the totals of several.
inline std::string runs_table(const std::vector<RunReport>& runs, const std::string& item) {
  Table table({"work", "backend", "precision", "lanes", "threads", "us per " + item, "quartiles",
               "speed-up", "same bits"});
  for (const auto& report : runs)
    for (const auto& [step, time] : report.time_us) {
      if (runs.size() > 1 && step != "total") continue;
      const auto speed_up = report.speed_up.find(step);
      table.add_row(
          {report.work + (report.work.empty() ? step
                          : step == "total"   ? ""
                                              : ", " + step),
           report.run.backend, report.run.precision, std::to_string(report.run.lanes),
           std::to_string(report.run.threads), detail::time_text(time.median),
           detail::time_text(time.lower_quartile) + ".." + detail::time_text(time.upper_quartile),
           speed_up == report.speed_up.end() ? "-" : fmt::format("{:.2f}", speed_up->second),
           !report.same_bits   ? "-"
           : *report.same_bits ? "yes"
                               : "NO"});
    }
  return table.text();
}

/// The part of a report on the machine and the build.
inline Json surroundings() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  std::string cpu = "unknown";
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.starts_with("model name")) {
      cpu = line.substr(std::min(line.size(), line.find(':') + 2));
      break;
    }
  double load = 0.;
  const bool has_load = ::getloadavg(&load, 1) == 1;
  return {{"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
          {"host", host.data()},
          {"cpu", cpu},
          {"load", has_load ? Json(load) : Json()},
          {"compiler", TRACKPLEX_COMPILER},
          {"flags", TRACKPLEX_FLAGS},
          {"kokkos", fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                                 KOKKOS_VERSION % 100)}};
}

}  // namespace trackplex::program
