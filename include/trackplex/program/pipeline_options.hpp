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
  int scan_slots = 8;                   ///< most slots of the scan
  int scan_batch = 1000;                ///< largest batch of the scan
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
    needs(!scan_figure.empty(), scans_pipeline(), "--scan-figure", "--scan pipeline");
  }
};

namespace detail {

inline CLI::Validator file_that_ends_in(std::vector<std::string> endings) {
  return CLI::Validator(
      [endings](std::string& file) -> std::string {
        for (const auto& ending : endings)
          if (file.ends_with(ending) && file.size() > ending.size()) return {};
        return fmt::format("'{}' does not end in {}", file, fmt::join(endings, " or "));
      },
      "");
}

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
  app.add_option("--scan-slots", options.scan_slots, "The scan goes up to so many slots")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str()
      ->group(group);
  app.add_option("--scan-batch", options.scan_batch, "... and up to so many events per batch")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""))
      ->capture_default_str()
      ->group(group);
  app.add_option("--scan-figure", options.scan_figure, "Draw the scan as SVG")
      ->type_name("FILE")
      ->check(file_that_ends_in({".svg"}))
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
      ->check(CLI::Range(1, 1024).description(""))
      ->group(group);
  app.add_option("--events-per-batch,--batch", options.events_per_batch,
                 fmt::format("Events of a launch (default: {}, in the pipeline {})",
                             options.direct_batch, options.pipeline_batch))
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""))
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
  app.add_option("--trace", options.trace,
                 "What ran when: .json for chrome://tracing or Perfetto, or .svg")
      ->type_name("FILE")
      ->check(detail::file_that_ends_in({".json", ".svg"}))
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
