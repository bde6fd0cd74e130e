// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <chrono>
#include <string>

namespace trackplex {
class Trace;
}  // namespace trackplex

namespace trackplex::pipeline {

class StopFlag;

/// Options of run_pipeline(): number of events in flight, and time limits. Results do not depend on
/// them.
struct PipelineOptions {
  /// Number of batches that are processed at the same time, each with its own thread and processor.
  /// 0: as many as the threads of a host backend, so that each slot runs its kernels on its own
  /// thread; 2 on a device.
  int slots = 0;
  int events_per_batch = 100;  ///< size of a full batch
  /// Time from the first event of an incomplete batch until an idle slot may process the batch.
  std::chrono::milliseconds flush_after{100};
  /// Number of consecutive exceptions of the reader, or of the writer, that ends the run with an
  /// error.
  int max_failures_in_a_row = 100;
  /// Time that the reader or the writer may spend on one event; more ends the run with an error. 0:
  /// no limit.
  std::chrono::milliseconds stall_limit{0};
  /// Flag that ends the run early; null: none. Must outlive the run.
  const StopFlag* stop = nullptr;
  /// Trace that records the activities of all threads; null: none. Must outlive the run.
  Trace* trace = nullptr;

  /// Checks the ranges of all options.
  /// @throws UsageError that names the first option out of range
  void check() const {
    const auto at_least = [](int least, const char* quantity, int value) {
      if (value < least)
        throw UsageError("pipeline",
                         std::string(quantity) + " must be at least " + std::to_string(least),
                         "it is " + std::to_string(value));
    };
    at_least(0, "the number of slots", slots);
    at_least(1, "the number of events per batch", events_per_batch);
    at_least(1, "the number of failures in a row", max_failures_in_a_row);
    if (flush_after.count() < 0)
      throw UsageError("pipeline", "the time to flush after must not be negative");
    if (stall_limit.count() < 0)
      throw UsageError("pipeline", "the stall limit must not be negative", "", "0 waits for ever");
  }
};

}  // namespace trackplex::pipeline
