// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/program/backend.hpp>
#include <trackplex/program/build_info.hpp>
#include <trackplex/program/common_options.hpp>
#include <trackplex/program/option_values.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace trackplex::program {

namespace detail {
/// The lane widths that hosts offer, as words, then "default" and "all".
inline std::vector<std::string> lane_words() {
  auto widths = offered_lanes<float, Kokkos::DefaultHostExecutionSpace>();
  for (const int width : offered_lanes<double, Kokkos::DefaultHostExecutionSpace>())
    if (std::find(widths.begin(), widths.end(), width) == widths.end()) widths.push_back(width);
  std::sort(widths.begin(), widths.end());
  std::vector<std::string> words;
  for (const int width : widths) words.push_back(std::to_string(width));
  words.insert(words.end(), {"default", "all"});
  return words;
}

inline void add_run_options(CLI::App& app, CommonOptions& options, const std::string& number_type) {
  const std::string group = "How to run";
  const auto lanes = lane_words();
  app.add_option("--backend", options.backend,
                 "serial, openmp, cuda or hip as far as built, or all, which compares them")
      ->type_name("NAME")
      ->check(one_of({"serial", "openmp", "cuda", "hip", "all"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--threads", options.threads,
                 "Host threads (default: OMP_NUM_THREADS or all cores)")
      ->type_name("N")
      ->transform(whole_number(1, max_host_threads))
      ->group(group);
  app.add_option("--lanes", options.lanes,
                 fmt::format("SIMD lanes of host backends: {} (best of the backend), or all",
                             fmt::join(lanes.begin(), lanes.end() - 1, ", ")))
      ->type_name("W")
      ->check(one_of(lanes))
      ->capture_default_str()
      ->group(group);
  app.add_option(number_type, options.precision, "Number type: float or double")
      ->type_name("TYPE")
      ->check(one_of({"float", "double"}))
      ->capture_default_str()
      ->group(group);
  app.add_option("--repeat", options.repeat,
                 "Timed repetitions after a warm-up; medians are reported")
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000))
      ->capture_default_str()
      ->group(group);
  app.add_option("--seed", options.seed, "Seed of generated input")
      ->type_name("N")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str()
      ->group(group);
}
}  // namespace detail

/// Adds --json, --quiet, --help and --version: all that a program needs which has no backend to
/// choose.
inline void add_report_options(CLI::App& app, CommonOptions& options) {
  add_output(app, "--json", options.json, "Write the report as JSON");
  app.add_flag("--quiet", options.quiet, "No text but warnings, no progress bars")->group("Output");
  app.set_help_flag("-h,--help", "This text")->group("Information");
  app.set_version_flag(
         "--version", [&app] { return version_line(app.get_name()); },
         "Version, source revision and backends of this build")
      ->group("Information");
  app.get_formatter()->column_width(26);
}

/// Adds the common options. The values in `options` are the defaults; an empty backend becomes the
/// default one of this build. Call it after the program's own options, which stand first in the
/// help. A program whose `--precision` is something else names the option of the number type.
inline void add_common_options(CLI::App& app, CommonOptions& options,
                               const std::string& number_type = "--precision") {
  if (options.backend.empty()) options.backend = default_backend();
  detail::add_run_options(app, options, number_type);
  add_report_options(app, options);
}

/// The last part of the help text: command lines, each with what it does.
struct Example {
  std::string command;
  std::string purpose;
};
inline void add_examples(CLI::App& app, const std::vector<Example>& examples) {
  std::string text = "Examples:\n";
  for (const auto& example : examples) {
    text += "  " + example.command + "\n      " + example.purpose + "\n";
  }
  app.footer(
      text +
      "Exit status: 0 all well, 1 failure (also an output that cannot be written), 2 wrong usage "
      "(also a backend that is not built), 3 bad input.");
}

}  // namespace trackplex::program
