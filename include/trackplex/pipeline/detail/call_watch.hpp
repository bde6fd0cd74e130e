// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/batch.hpp>

#include <atomic>
#include <cstdint>

namespace trackplex::pipeline::detail {

/// Tells another thread how long a thread has been inside a function of the user, and lets that one
/// abandon it there. Who was abandoned learns it when the function returns at last, and must then
/// touch nothing but what it shares the ownership of.
class CallWatch {
 public:
  /// The user's function begins.
  void begin() { state_.store(now(), std::memory_order_relaxed); }
  /// It has ended. False: the thread was abandoned meanwhile.
  bool end() {
    const std::int64_t begun = state_.exchange(outside, std::memory_order_acq_rel);
    if (begun == abandoned) return false;
    busy_.store(busy_.load(std::memory_order_relaxed) + now() - begun, std::memory_order_relaxed);
    return true;
  }

  /// Whether the thread has been inside for longer than that.
  bool inside_for(Clock::duration time) const {
    const std::int64_t begun = state_.load(std::memory_order_relaxed);
    return begun > outside && now() - begun > std::chrono::nanoseconds(time).count();
  }
  /// Abandons the thread if it has been inside for longer than that.
  bool abandon_after(Clock::duration time) {
    std::int64_t begun = state_.load(std::memory_order_relaxed);
    return begun > outside && now() - begun > std::chrono::nanoseconds(time).count() &&
           state_.compare_exchange_strong(begun, abandoned, std::memory_order_acq_rel);
  }

  /// Seconds inside.
  double busy() const { return 1e-9 * double(busy_.load(std::memory_order_relaxed)); }

 private:
  static constexpr std::int64_t outside = 0, abandoned = -1;

  std::int64_t now() const {  // at least 1
    return 1 + std::chrono::nanoseconds(Clock::now() - start_).count();
  }

  const Clock::time_point start_ = Clock::now();
  std::atomic<std::int64_t> state_{outside};
  std::atomic<std::int64_t> busy_{0};
};

}  // namespace trackplex::pipeline::detail
