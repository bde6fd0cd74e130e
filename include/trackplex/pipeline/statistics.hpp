// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Statistics of a run of the pipeline. Times are in seconds of the wall clock.

#include <trackplex/chain/report.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::pipeline {

/// Event without a result.
struct Failure {
  std::size_t event = 0;  ///< index of the event in the input
  std::string stage;      ///< where it failed: "read", "stage", "run", "collect" or "write"
  std::string message;    ///< message of the exception
};

/// Times of a slot's thread by activity, s, and its work.
struct SlotStatistics {
  double stage = 0.;    ///< host steps before the first device step
  double run = 0.;      ///< device steps
  double collect = 0.;  ///< host steps after the last device step
  /// Waiting for permission to launch kernels, if slots take turns.
  double waiting_to_run = 0.;
  /// The remaining time: waiting for events.
  double idle = 0.;
  std::size_t batches = 0;  ///< number of batches processed
  std::size_t events = 0;   ///< number of events in these batches
  chain::Report report;     ///< of the processor, if it has one
};

/// Times of a thread that is not a slot's, s.
struct ThreadTime {
  double busy = 0.;     ///< inside the reader, the writer or kernels
  double waiting = 0.;  ///< for other threads
};

/// Reasons for the end of a run.
enum class Ending {
  end_of_input,    ///< all events were read
  stop_requested,  ///< by PipelineOptions::stop
  reader_failed,   ///< max_failures_in_a_row exceptions in a row
  writer_failed,   ///< max_failures_in_a_row exceptions in a row
  reader_stalled,  ///< longer than stall_limit
  writer_stalled,  ///< longer than stall_limit
};

/// Statistics of a run of the pipeline. Every event that was read is written, failed or not
/// processed: events_read = events_written + events_failed + events_not_processed.
struct Statistics {
  std::size_t events_read = 0;     ///< events of the input, including failed reads
  std::size_t events_written = 0;  ///< events that the writer accepted
  std::size_t events_failed = 0;   ///< events that were reported as a Failure
  /// Events that were dropped because the writer ended the run.
  std::size_t events_not_processed = 0;

  std::size_t batches = 0;  ///< batches that were passed to slots
  /// Batches that were processed in parts, because they did not fit into memory.
  std::size_t batches_made_smaller = 0;
  /// Maximum number of batches from the first event read to the last one written.
  std::size_t max_batches_in_flight = 0;
  /// Latency of a batch, s, from its first event read to its last one written: the median of all
  /// batches, and the time that 99 % do not exceed; both to 3 %, rounded up.
  double median_latency = 0., latency_99 = 0.;

  double seconds = 0.;  ///< duration of the run, s
  ThreadTime reader;    ///< thread of the reader
  ThreadTime writer;    ///< thread of the writer
  /// Thread that called run_pipeline(); busy only if no other thread may launch kernels.
  ThreadTime launcher;
  /// Whether all kernels were launched by that thread.
  bool one_launcher = false;
  std::vector<SlotStatistics> slots;  ///< one per slot

  Ending ending = Ending::end_of_input;  ///< reason for the end of the run
  /// Description of the error; empty without an error.
  std::string error;

  /// Whether the run ended with an error; failed events do not count as an error.
  bool broken() const { return ending != Ending::end_of_input && ending != Ending::stop_requested; }

  /// Rate of events that were written or failed, 1/s.
  double events_per_second() const {
    return seconds > 0. ? double(events_written + events_failed) / seconds : 0.;
  }
};

}  // namespace trackplex::pipeline
