// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/batch.hpp>

#include <atomic>
#include <cstdint>

namespace trackplex::pipeline::detail {

/// Lets one thread, the guard, see how long another thread has been inside a user function, and
/// abandon it there. An abandoned thread learns of it when the function finally returns, and must
/// then access only objects that it co-owns. The watched thread does not read a clock.
class CallWatch {
 public:
  /// Marks the begin of the user function.
  void begin() { calls_.store(++call_, std::memory_order_relaxed); }
  /// Marks its end. Returns false if the thread was abandoned meanwhile.
  bool end() { return calls_.exchange(++call_, std::memory_order_acq_rel) != abandoned; }

  /// For the guard, called repeatedly: how long it has seen the thread in the same call.
  Clock::duration look(Clock::time_point now) {
    const std::int64_t call = calls_.load(std::memory_order_relaxed);
    if (call != seen_) since_ = now;
    seen_ = call;
    return is_inside(call) ? now - since_ : Clock::duration(0);
  }
  /// For the guard: abandons the thread if it is still in the call that was seen.
  bool abandon() {
    std::int64_t call = seen_;
    return is_inside(call) &&
           calls_.compare_exchange_strong(call, abandoned, std::memory_order_acq_rel);
  }

 private:
  static constexpr std::int64_t abandoned = -1;
  static bool is_inside(std::int64_t call) { return call > 0 && call % 2 == 1; }

  std::atomic<std::int64_t> calls_{0};  ///< odd inside
  std::int64_t call_ = 0;
  std::int64_t seen_ = 0;
  Clock::time_point since_{};
};

}  // namespace trackplex::pipeline::detail
