// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/options.hpp>
#include <common/run.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace trackplex::program {

/// Options of programs that take events through a chain, directly or in the event pipeline.
struct PipelineRunOptions {
  /// Batches that are worked on at the same time; 0: no pipeline, the library is called directly.
  int slots = 0;
  int events_per_batch = 0;               ///< 0: the program's default, see batch()
  std::optional<std::uint64_t> memory{};  ///< bytes of each slot
  std::string trace{};                    ///< file for a trace viewer
  std::string journal{};                  ///< file of finished events
  std::string fingerprints{};             ///< file of what each step made
  std::string sequence{};                 ///< file with the names of the steps to run
  bool list_algorithms = false;           ///< print what is compiled, and end

  // Defaults of a program.
  int events_per_thread = 10;                               ///< of a batch on a host: in its caches
  int events_per_device = 1000;                             ///< of a batch on a device
  std::uint64_t default_memory = std::uint64_t(256) << 20;  ///< bytes of each slot

  bool uses_pipeline() const { return slots > 0; }
  /// Of events that are dealt to ranks or have a journal: these always go through the pipeline, by
  /// default with a slot for each thread.
  int slots_of_farm(const RunDescription& run) const {
    if (slots > 0) return slots;
    return run.on_host ? run.threads : 2;
  }
  /// Events of a batch of a run in so many slots; 0: without the pipeline. Where there is a slot
  /// for each thread, a batch is the work of one.
  int batch(const RunDescription& run, int n_slots) const {
    if (events_per_batch > 0) return events_per_batch;
    if (!run.on_host) return events_per_device;
    return n_slots >= run.threads ? events_per_thread : events_per_thread * run.threads;
  }
  /// Those of fingerprints, which can be compared only if all runs have the same.
  int fingerprint_batch() const { return batch({}, 0); }
  std::size_t memory_per_slot() const { return std::size_t(memory.value_or(default_memory)); }

  /// @throws UsageError where an option would have no effect
  void check() const;
};

/// Adds the options of the pipeline. The values in `options` are the defaults; it outlives the
/// group's program.
void add_pipeline_options(OptionGroup group, PipelineRunOptions& options);

}  // namespace trackplex::program
