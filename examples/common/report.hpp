// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The report of a program, as docs/guide/reports.md describes it, and the table of its runs.

#include <common/run.hpp>
#include <common/table.hpp>
#include <common/timing.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trackplex::program {

/// Indented, with as many numbers of a list in a line as there is room for.
std::string json_text(const Json& json);

Json to_json(const Spread& s);

/// One run: where and how fast, and what it gave.
struct RunReport {
  RunDescription run;
  std::string work{};                        ///< what is run, where a program runs several things
  std::string data{};                        ///< what on, where they have input of their own
  std::string hash{};                        ///< of the complete output
  std::string compared{};                    ///< what else must be as in the first run
  Json results{};                            ///< where they are not those of the first run
  Times time_us{};                           ///< of each step, and in total
  Json rate = Json::object();                ///< for example events_per_s
  Json pipeline{};                           ///< of a run through the pipeline
  std::optional<bool> same_bits{};           ///< as the first run of this precision on these data
  std::map<std::string, double> speed_up{};  ///< of steps, over serial with one lane and thread

  const Spread* time(const std::string& step) const;
  std::string name() const;

  /// The keys that the first run has in the report itself, too.
  void write(Json& json) const;
  Json to_json() const;

  /// For another process, and from there, before it is compared with others.
  Json to_message() const;
  static RunReport from_message(const Json& json);
};

/// Compares the runs of each precision on the same data with the first of them: bits, and times of
/// each work with those of one lane on one thread of Serial.
void compare_runs(std::vector<RunReport>& runs);

namespace detail {
/// Four digits, with trailing zeros: numbers of a column can be compared.
std::string time_text(double value);
}  // namespace detail

/// The table of all runs: all steps of one run, the totals of several.
std::string runs_table(const std::vector<RunReport>& runs, const std::string& item);

std::string kokkos_version();

/// The part of a report on the machine and the build.
Json surroundings();

/// The largest memory that this process has had up to now, bytes; null where the system does not
/// tell.
Json peak_memory();

}  // namespace trackplex::program
