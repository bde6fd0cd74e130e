// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/pipeline_options.hpp>
#include <common/values.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <utility>

namespace trackplex::program {

void PipelineRunOptions::check() const {
  refuse_if(!fingerprints.empty() && (uses_pipeline() || !journal.empty()), "--fingerprints",
            "is for direct calls of the library", "omit --slots and --journal");
  for (const auto& [given, option] :
       {std::pair(!trace.empty(), "--trace"), std::pair(!sequence.empty(), "--sequence"),
        std::pair(memory.has_value(), "--memory")})
    refuse_if(given && !uses_pipeline(), option, "has no effect without the pipeline",
              "add --slots");
}

void add_pipeline_options(OptionGroup group, PipelineRunOptions& options) {
  group.count("--slots", options.slots,
              "Run events through the pipeline, with N batches in flight (default: none, "
              "direct calls of the library)",
              1024);
  group.count(
      "--batch,--events-per-batch", options.events_per_batch,
      fmt::format("Events per launch (default: {} for each CPU thread of the launch, {} on a GPU)",
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
  group.input("--sequence", options.sequence, "FILE",
              "Run the steps in this file (see --list-algorithms)");
  group.flag("--list-algorithms", options.list_algorithms,
             "Print the compiled steps and the default sequence in this file format, and exit");
}

}  // namespace trackplex::program
