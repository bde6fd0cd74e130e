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

/// How many events are in flight, and how long the pipeline waits for others. Results never depend
/// on it.
struct PipelineOptions {
  /// Batches that are worked on at the same time, each with a thread and a processor of its own.
  int slots = 2;
  int events_per_batch = 100;
  /// An incomplete batch goes on to a slot that has nothing else to do so long after its first
  /// event was read.
  std::chrono::milliseconds flush_after{100};
  /// A reader or a writer that throws so often in a row ends the run with an error.
  int max_failures_in_a_row = 100;
  /// A reader or a writer that works so long on one event ends the run with an error; 0: never.
  std::chrono::milliseconds stall_limit{0};
  /// Ends the run early; nothing to listen to where null. Outlives the run.
  const StopFlag* stop = nullptr;
  /// Takes down what each thread does and when; no trace where null. Outlives the run.
  Trace* trace = nullptr;

  /// @throws UsageError that names what is out of range.
  void check() const {
    const auto positive = [](const char* quantity, int value) {
      if (value < 1)
        throw UsageError("pipeline", std::string(quantity) + " must be at least 1",
                         "it is " + std::to_string(value));
    };
    positive("the number of slots", slots);
    positive("the number of events per batch", events_per_batch);
    positive("the number of failures in a row", max_failures_in_a_row);
    if (flush_after.count() < 0)
      throw UsageError("pipeline", "the time to flush after must not be negative");
    if (stall_limit.count() < 0)
      throw UsageError("pipeline", "the stall limit must not be negative", "", "0 waits for ever");
  }
};

}  // namespace trackplex::pipeline
