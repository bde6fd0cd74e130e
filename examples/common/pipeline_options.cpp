// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/pipeline_options.hpp>
#include <common/values.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

namespace trackplex::program {

void PipelineRunOptions::check() const {
  const auto needs = [](bool given, bool met, const char* option, const std::string& other) {
    refuse_if(given && !met, option, "has no effect without the pipeline", "add " + other);
  };
  refuse_if(!fingerprints.empty() && (uses_pipeline() || !journal.empty()), "--fingerprints",
            "is for direct calls of the library", "omit --slots and --journal");
  const bool runs = uses_pipeline() || scans_pipeline();
  needs(!trace.empty(), uses_pipeline(), "--trace", "--slots");
  needs(!sequence.empty(), runs, "--sequence", "--slots");
  needs(memory.has_value(), runs, "--memory", "--slots");
  needs(scan_slots.has_value(), scans_pipeline(), "--scan-slots", "--scan pipeline");
  needs(scan_batch.has_value(), scans_pipeline(), "--scan-batch", "--scan pipeline");
}

namespace {

void add_scan_options(OptionGroup& group, PipelineRunOptions& options) {
  const bool several = options.scans.size() > 1;
  const std::string what = "Events/s against slots and against events per batch";
  group.app()
      .add_option_function<std::string>(
          "--scan",
          [&options](const std::string& word) {
            if (word == "false") return;  // of a configuration file
            const bool bare = word.empty() || word == "true";
            options.scan = bare ? options.scans.front() : word;
          },
          several ? fmt::format("One of: {}; pipeline: {}", fmt::join(options.scans, ", "), what)
                  : what)
      ->expected(0, 1)
      ->type_name(several ? "NAME" : "")
      ->check(CLI::Validator(
          [&options](std::string& word) -> std::string {
            if (word.empty() || word == "true" || word == "false") return {};
            return one_of(options.scans)(word);
          },
          ""))
      ->group(group.name());
  group.number("--scan-slots", options.scan_slots, "N", 1, 1024,
               "Max number of slots of the scan (default: 8)");
  group.number("--scan-batch", options.scan_batch, "N", 1, 1e6,
               "... and max number of events per batch (default: 1000)");
}

}  // namespace

void add_pipeline_options(OptionGroup group, PipelineRunOptions& options) {
  group.count("--slots", options.slots,
              "Run events through the pipeline, with N batches in flight (default: none, "
              "direct calls of the library)",
              1024);
  group.count("--batch,--events-per-batch", options.events_per_batch,
              fmt::format("Events per launch (default: {} per CPU thread, {} on a GPU)",
                          options.events_per_thread, options.events_per_device),
              1'000'000);
  group.app()
      .add_option("--memory", options.memory,
                  fmt::format("Memory of each slot, e.g. 64M or 2G; batches that do not fit are "
                              "processed in parts (default: {}M)",
                              options.default_memory >> 20))
      ->transform(CLI::AsSizeValue(false).description(""))
      ->check(whole_number(1, std::uint64_t(1) << 62))
      ->type_name("SIZE")
      ->group(group.name());
  group.output("--trace", options.trace,
               "Timeline of the run, for scripts/plot, chrome://tracing or Perfetto", {".json"});
  group.output("--journal", options.journal,
               "Keep the results of finished events in this file; if the run is killed, the "
               "same command line continues after them");
  group.output("--fingerprints", options.fingerprints,
               "Output of each step, to the last bit, for scripts/compare_bits", {".json"});
  group.text("--sequence", options.sequence, "FILE",
             "Run the steps in this file (see --list-algorithms)");
  group.flag("--list-algorithms", options.list_algorithms,
             "Print the compiled steps and the default sequence in this file format, and exit");
  add_scan_options(group, options);
}

}  // namespace trackplex::program
