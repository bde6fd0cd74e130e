// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Traces: the work of threads and slots over time.

namespace trackplex {

/// Work item of one thread or instance.
struct Span {
  int lane = 0;             ///< Line of the plot, a number from `Trace::add_lane`.
  std::string name;         ///< Name of the work: a stage of the pipeline, an algorithm.
  double begin_us = 0.;     ///< Begin, microseconds since the trace began.
  double end_us = 0.;       ///< End, microseconds since the trace began.
  std::int64_t batch = -1;  ///< Number of the batch; -1 without a batch.
  int events = 0;           ///< Number of events in the batch.
};

/// Collection of spans of many threads, which may call its functions at the same time. At most
/// `capacity` spans are kept; the others are counted.
class Trace {
 public:
  /// Begins the trace: its time 0 is now.
  explicit Trace(std::size_t capacity = 1'000'000)
      : begin_(std::chrono::steady_clock::now()), capacity_(capacity) {}

  /// Adds a line of the plot, for a thread or an instance, and returns its number.
  int add_lane(std::string name);

  /// Returns the time since the trace began, microseconds.
  double now_us() const;

  /// Adds a span, or counts it as dropped beyond the capacity.
  void record(Span span);

  /// Returns the names of the lines, in the order of their numbers.
  std::vector<std::string> lanes() const;
  /// Returns the spans recorded so far, in the order of recording.
  std::vector<Span> spans() const;
  /// Returns the number of spans beyond the capacity.
  std::size_t dropped() const;

 private:
  const std::chrono::steady_clock::time_point begin_;
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::vector<std::string> lanes_;
  std::vector<Span> spans_;
  std::size_t dropped_ = 0;
};

/// Scope guard that records a span from construction to destruction; without a trace (null) it does
/// nothing.
class TimedSpan {
 public:
  /// Starts a span on line `lane` of the trace.
  TimedSpan(Trace* trace, int lane, std::string name, std::int64_t batch = -1, int events = 0)
      : trace_(trace) {
    if (trace_ != nullptr) span_ = {lane, std::move(name), trace_->now_us(), 0., batch, events};
  }
  ~TimedSpan();
  TimedSpan(const TimedSpan&) = delete;
  TimedSpan& operator=(const TimedSpan&) = delete;

 private:
  Trace* trace_;
  Span span_;
};

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/trace.impl.hpp>
#endif
