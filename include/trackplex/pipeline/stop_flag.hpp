// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace trackplex::pipeline {

/// Flag that tells a running pipeline to stop reading, finish the events that it has read,
/// and return. Any thread and any signal handler may set it.
class StopFlag {
 public:
  /// Sets the flag, permanently.
  void request_stop() noexcept { requested_.store(true, std::memory_order_release); }
  /// Whether the flag is set.
  bool stop_requested() const noexcept { return requested_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> requested_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers must not wait for locks");
};

/// Handler of SIGINT and SIGTERM while it exists: the first signal sets a StopFlag and restores
/// the former handlers, so that a second signal ends most programs. One object at a time.
class StopOnSignal {
 public:
  /// Installs the handler. The flag must outlive the object.
  /// @throws UsageError if another object exists
  explicit StopOnSignal(StopFlag& flag) {
    StopFlag* none = nullptr;
    if (!flag_.compare_exchange_strong(none, &flag))
      throw UsageError("StopOnSignal", "there is one already", "signals belong to the process",
                       "make one in main()");
    for (int i = 0; i < signals; ++i) sigaction(numbers[i], nullptr, &before_[i]);
    struct sigaction action = {};
    action.sa_handler = &handle;
    sigemptyset(&action.sa_mask);
    for (const int number : numbers) sigaction(number, &action, nullptr);
  }
  /// Restores the former handlers.
  ~StopOnSignal() {
    restore();
    flag_.store(nullptr);
  }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

 private:
  static constexpr int signals = 2;
  static constexpr int numbers[signals] = {SIGINT, SIGTERM};

  static void handle(int) noexcept {
    const int error = errno;  // errno of the interrupted code
    if (StopFlag* const flag = flag_.load()) flag->request_stop();
    restore();
    errno = error;
  }
  static void restore() noexcept {
    for (int i = 0; i < signals; ++i) sigaction(numbers[i], &before_[i], nullptr);
  }

  static inline std::atomic<StopFlag*> flag_{nullptr};
  static inline struct sigaction before_[signals] = {};
};

}  // namespace trackplex::pipeline
