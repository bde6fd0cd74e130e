// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/program/byte_size.hpp>
#include <trackplex/program/options.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace trackplex::program {

/// Options of the event pipeline.
struct PipelineRunOptions {
  /// Batches that are worked on at the same time; 0: no pipeline, the library is called directly.
  int slots = 0;
  int events_per_batch = 0;             ///< 0: the program's default, see batch()
  std::optional<std::size_t> memory{};  ///< bytes of each slot
  std::string trace{};                  ///< file: .json for a trace viewer, or .svg
  std::string sequence{};               ///< file with the names of the steps to run
  bool list_algorithms = false;         ///< print what is compiled, and end
  std::string scan{};                   ///< "pipeline", or another scan that the program has
  std::optional<int> scan_slots{};      ///< most slots of the scan; see max_scan_slots()
  std::optional<int> scan_batch{};      ///< largest batch of the scan; see max_scan_batch()
  std::string scan_figure{};            ///< file (.svg)

  // Defaults of a program.
  int direct_batch = 1000;                              ///< without the pipeline
  int pipeline_batch = 100;                             ///< with it
  std::size_t default_memory = std::size_t(256) << 20;  ///< bytes of each slot
  std::vector<std::string> scans = {"pipeline"};        ///< of --scan; the first one by itself

  bool uses_pipeline() const { return slots > 0; }
  bool scans_pipeline() const { return scan == "pipeline"; }
  int batch() const {
    if (events_per_batch > 0) return events_per_batch;
    return uses_pipeline() || scans_pipeline() ? pipeline_batch : direct_batch;
  }
  int max_scan_slots() const { return scan_slots.value_or(8); }
  int max_scan_batch() const { return scan_batch.value_or(1000); }
  std::size_t memory_per_slot() const { return memory.value_or(default_memory); }

  /// @throws UsageError where an option would have no effect
  void check() const {
    const auto needs = [](bool given, bool met, const char* option, const char* other) {
      if (given && !met)
        throw UsageError(option, "has no effect without the pipeline", "",
                         std::string("add ") + other);
    };
    const bool runs = uses_pipeline() || scans_pipeline();
    needs(!trace.empty(), uses_pipeline(), "--trace", "--slots");
    needs(!sequence.empty(), runs, "--sequence", "--slots");
    needs(memory.has_value(), runs, "--memory", "--slots");
    needs(scan_slots.has_value(), scans_pipeline(), "--scan-slots", "--scan pipeline");
    needs(scan_batch.has_value(), scans_pipeline(), "--scan-batch", "--scan pipeline");
    needs(!scan_figure.empty(), scans_pipeline(), "--scan-figure", "--scan pipeline");
  }
};

namespace detail {

inline void add_scan_options(CLI::App& app, PipelineRunOptions& options, const std::string& group) {
  const bool several = options.scans.size() > 1;
  const std::string what = "Events/s against slots and against events per batch";
  app.add_option_function<std::string>(
         "--scan",
         [&options](const std::string& word) {
           const bool bare = word.empty() || word == "true";
           options.scan = bare ? options.scans.front() : word;
         },
         several ? fmt::format("One of: {}; pipeline: {}", fmt::join(options.scans, ", "), what)
                 : what)
      ->expected(0, 1)
      ->type_name(several ? "NAME" : "")
      ->check(CLI::Validator(
          [&options](std::string& word) -> std::string {
            for (const auto& known : options.scans)
              if (word == known || word.empty() || word == "true") return {};
            return "'" + word + "' is not one of " +
                   fmt::format("{}", fmt::join(options.scans, ", "));
          },
          ""))
      ->group(group);
  app.add_option("--scan-slots", options.scan_slots,
                 "The scan goes up to so many slots (default: 8)")
      ->type_name("N")
      ->transform(whole_number(1, 1024))
      ->group(group);
  app.add_option("--scan-batch", options.scan_batch,
                 "... and up to so many events per batch (default: 1000)")
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000))
      ->group(group);
  add_output(app, "--scan-figure", options.scan_figure, "Draw the scan as SVG", {".svg"})
      ->group(group);
}

}  // namespace detail

/// Adds the options of the pipeline. The values in `options` are the defaults; it outlives `app`.
inline void add_pipeline_options(CLI::App& app, PipelineRunOptions& options) {
  const std::string group = "Pipeline";
  app.add_option("--slots", options.slots,
                 "Run events through the pipeline, so many batches in flight (default: none, the "
                 "library is called directly)")
      ->type_name("N")
      ->transform(whole_number(1, 1024))
      ->group(group);
  app.add_option("--events-per-batch,--batch", options.events_per_batch,
                 fmt::format("Events of a launch (default: {}, in the pipeline {})",
                             options.direct_batch, options.pipeline_batch))
      ->type_name("N")
      ->transform(whole_number(1, 1'000'000))
      ->group(group);
  app.add_option_function<std::string>(
         "--memory",
         [&options](const std::string& text) { options.memory = parse_byte_size(text); },
         fmt::format(
             "Memory of each slot, as 64M or 1.5G; batches that do not fit are worked on in "
             "parts (default: {})",
             byte_size_text(options.default_memory)))
      ->type_name("SIZE")
      ->check(CLI::Validator(
          [](std::string& text) -> std::string {
            return parse_byte_size(text) ? "" : "'" + text + "' is no size such as 64M or 1.5G";
          },
          ""))
      ->group(group);
  add_output(app, "--trace", options.trace,
             "What ran when: .json for chrome://tracing or Perfetto, or .svg", {".json", ".svg"})
      ->group(group);
  app.add_option("--sequence", options.sequence,
                 "Run the steps that this file names (see --list-algorithms)")
      ->type_name("FILE")
      ->group(group);
  app.add_flag("--list-algorithms", options.list_algorithms,
               "Print the compiled steps and the default sequence as a file, and end")
      ->group(group);
  detail::add_scan_options(app, options, group);
}

}  // namespace trackplex::program
