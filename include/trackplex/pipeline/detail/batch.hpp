// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/trace.hpp>
#include <trackplex/pipeline/statistics.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::pipeline::detail {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

/// Microseconds of a trace, and spans of a lane; nothing without a trace.
struct Lane {
  Trace* trace = nullptr;
  int lane = -1;

  double now_us() const { return trace != nullptr ? trace->now_us() : 0.; }
  /// From `begin_us` to now.
  void record(const char* name, double begin_us, std::size_t batch, std::size_t events) const {
    if (trace != nullptr)
      trace->record({lane, name, begin_us, now_us(), std::int64_t(batch), int(events)});
  }
  void record_wait(double begin_us) const { record_wait(begin_us, now_us()); }
  void record_wait(double begin_us, double end_us) const {
    if (trace != nullptr) trace->record({lane, "wait", begin_us, end_us});
  }
};

inline Lane add_lane(Trace* trace, const std::string& name) {
  return {trace, trace != nullptr ? trace->add_lane(name) : -1};
}

/// Message of the exception that is being handled.
inline std::string current_message() {
  try {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception of an unknown type";
  }
}

/// Consecutive events in flight: first the events, then a result or a failure for each event,
/// both in input order.
template <class Event, class Result>
struct Batch {
  std::size_t number = 0;    ///< batches count from 0
  std::size_t n_events = 0;  ///< including failed reads
  Clock::time_point begin;   ///< time at which the first event was read

  std::vector<Event> events;
  std::vector<std::size_t> event_indices;  ///< in the input

  std::vector<Result> results;
  std::vector<std::size_t> result_indices;  ///< in the input
  std::vector<Failure> failures;

  /// Clears the batch and keeps its memory.
  void clear() {
    n_events = 0;
    events.clear();
    event_indices.clear();
    results.clear();
    result_indices.clear();
    failures.clear();
  }
};

}  // namespace trackplex::pipeline::detail
