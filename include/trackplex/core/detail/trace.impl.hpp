// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/trace.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace trackplex {

TRACKPLEX_INLINE int Trace::add_lane(std::string name) {
  const std::lock_guard lock(mutex_);
  lanes_.push_back(std::move(name));
  return int(lanes_.size()) - 1;
}

TRACKPLEX_INLINE double Trace::now_us() const {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin_)
      .count();
}

TRACKPLEX_INLINE void Trace::record(Span span) {
  const std::lock_guard lock(mutex_);
  if (spans_.size() < capacity_) {
    spans_.push_back(std::move(span));
  } else {
    ++dropped_;
  }
}

TRACKPLEX_INLINE std::vector<std::string> Trace::lanes() const {
  const std::lock_guard lock(mutex_);
  return lanes_;
}

TRACKPLEX_INLINE std::vector<Span> Trace::spans() const {
  const std::lock_guard lock(mutex_);
  return spans_;
}

TRACKPLEX_INLINE std::size_t Trace::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

TRACKPLEX_INLINE TimedSpan::~TimedSpan() {
  if (trace_ == nullptr) return;
  span_.end_us = trace_->now_us();
  trace_->record(std::move(span_));
}

}  // namespace trackplex
