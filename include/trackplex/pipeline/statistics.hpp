// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Statistics of a run of the pipeline. Times are in seconds of the wall clock.

#include <trackplex/chain/report.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::pipeline {

/// An event without a result: the index of the event in the input, what was done with it when it
/// failed ("read", "stage", "run", "collect" or "write"), and the message of the exception.
struct Failure {
  std::size_t event = 0;
  std::string stage;
  std::string message;
};

/// Time of a slot's thread, by activity.
struct SlotStatistics {
  double stage = 0.;
  double run = 0.;
  double collect = 0.;
  /// Waiting until kernels may be launched, where slots take turns at that.
  double waiting_to_run = 0.;
  /// The rest: waiting for events.
  double idle = 0.;
  std::size_t batches = 0;
  std::size_t events = 0;
  chain::Report report;
};

/// A thread beside the slots: at work (inside the reader or the writer), or waiting for the others.
struct ThreadTime {
  double busy = 0.;
  double waiting = 0.;
};

/// Why a run ended.
enum class Ending {
  end_of_input,
  stop_requested,
  reader_failed,   ///< too often in a row
  writer_failed,   ///< too often in a row
  reader_stalled,  ///< longer than the limit
  writer_stalled,  ///< longer than the limit
};

struct Statistics {
  /// Every event that was read, also one that the reader failed at, is written, failed or not
  /// processed: read = written + failed + not processed.
  std::size_t events_read = 0;
  std::size_t events_written = 0;
  std::size_t events_failed = 0;
  /// Events that were given up when the writer ended the run.
  std::size_t events_not_processed = 0;

  std::size_t batches = 0;
  /// Batches that were worked on in parts, because all their events at a time did not fit.
  std::size_t batches_made_smaller = 0;
  /// The most batches that were between the reader and the end of their writing.
  std::size_t max_batches_in_flight = 0;

  double seconds = 0.;
  ThreadTime reader;
  ThreadTime writer;
  /// The thread that runs the pipeline; it works only where no other thread may launch kernels.
  ThreadTime launcher;
  /// Whether the slots' kernels were all launched by that thread.
  bool one_launcher = false;
  std::vector<SlotStatistics> slots;

  Ending ending = Ending::end_of_input;
  /// The problem, where the ending is an error.
  std::string error;

  /// Whether the run ended with an error (failed events alone are none).
  bool broken() const { return ending != Ending::end_of_input && ending != Ending::stop_requested; }

  /// Events that were written or failed, per second.
  double events_per_second() const {
    return seconds > 0. ? double(events_written + events_failed) / seconds : 0.;
  }
};

}  // namespace trackplex::pipeline
