// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Traces: the spans of time that threads and slots spent on something.

namespace trackplex {

/// A piece of work. Times are in microseconds since the trace began.
struct Span {
  int lane = 0;      ///< who: a number from Trace::add_lane
  std::string name;  ///< what: a stage of the pipeline, an algorithm
  double begin_us = 0.;
  double end_us = 0.;
  std::int64_t batch = -1;  ///< number of the batch; -1: none
  int events = 0;           ///< in the batch
};

/// Collects spans of many threads. At most `capacity` are kept; others are counted.
class Trace {
 public:
  explicit Trace(std::size_t capacity = 1'000'000)
      : begin_(std::chrono::steady_clock::now()), capacity_(capacity) {}

  /// A line of the plot: a thread, or an instance.
  int add_lane(std::string name) {
    const std::lock_guard lock(mutex_);
    lanes_.push_back(std::move(name));
    return int(lanes_.size()) - 1;
  }

  double now_us() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin_)
        .count();
  }

  void record(Span span) {
    const std::lock_guard lock(mutex_);
    if (spans_.size() < capacity_) {
      spans_.push_back(std::move(span));
    } else {
      ++dropped_;
    }
  }

  std::vector<std::string> lanes() const {
    const std::lock_guard lock(mutex_);
    return lanes_;
  }
  std::vector<Span> spans() const {
    const std::lock_guard lock(mutex_);
    return spans_;
  }
  /// Spans beyond the capacity.
  std::size_t dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }

 private:
  const std::chrono::steady_clock::time_point begin_;
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::vector<std::string> lanes_;
  std::vector<Span> spans_;
  std::size_t dropped_ = 0;
};

/// Records the time from its construction to its end; nothing without a trace.
class TimedSpan {
 public:
  TimedSpan(Trace* trace, int lane, std::string name, std::int64_t batch = -1, int events = 0)
      : trace_(trace) {
    if (trace_ != nullptr) span_ = {lane, std::move(name), trace_->now_us(), 0., batch, events};
  }
  ~TimedSpan() {
    if (trace_ == nullptr) return;
    span_.end_us = trace_->now_us();
    trace_->record(std::move(span_));
  }
  TimedSpan(const TimedSpan&) = delete;
  TimedSpan& operator=(const TimedSpan&) = delete;

 private:
  Trace* trace_;
  Span span_;
};

}  // namespace trackplex
