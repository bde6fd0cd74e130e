// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/batch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace trackplex::pipeline::detail {

/// Sums the time that a thread waits for others; the rest of the time it is busy.
class WaitingTime {
 public:
  template <class Wait>
  auto wait(const Wait& wait) {
    struct Add {
      WaitingTime& to;
      Clock::time_point begin = Clock::now();
      ~Add() { to.add(to.waiting_, Clock::now() - begin); }
    };
    const Add add_time{*this};
    return wait();
  }
  void thread_ended() { add(life_, Clock::now() - begin_); }

  /// Busy and waiting time of a run of so many seconds.
  ThreadTime split(double seconds) const {
    const double life = life_.load() > 0 ? 1e-9 * double(life_.load()) : seconds;
    const double busy = std::max(life - 1e-9 * double(waiting_.load()), 0.);
    return {busy, std::max(seconds - busy, 0.)};
  }

 private:
  static void add(std::atomic<std::int64_t>& to, Clock::duration time) {
    to += std::chrono::nanoseconds(time).count();
  }

  const Clock::time_point begin_ = Clock::now();
  std::atomic<std::int64_t> waiting_{0}, life_{0};
};

}  // namespace trackplex::pipeline::detail
