// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/batch.hpp>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

namespace trackplex::pipeline::detail {

/// Lets one thread work for others, in the order of their requests, until they have ended.
class LaunchingThread {
 public:
  /// Lets the serving thread do the work, and waits for it.
  /// @throws what the work throws
  void run(const std::function<void()>& work) {
    Job job{&work};
    std::unique_lock lock(mutex_);
    jobs_.push_back(&job);
    server_wakes_.notify_one();
    job.wakes.wait(lock, [&] { return job.done; });
    if (job.error) std::rethrow_exception(job.error);
  }

  /// Each thread is announced before it starts.
  void thread_begins() {
    const std::lock_guard lock(mutex_);
    ++threads_;
  }
  void thread_ended() {
    const std::lock_guard lock(mutex_);
    --threads_;
    server_wakes_.notify_one();
  }

  /// Works until all threads have ended, and then returns true, or for a limited time; none: no
  /// limit.
  bool serve(std::optional<Clock::duration> at_most) {
    const auto end = Clock::now() + at_most.value_or(Clock::duration(0));
    std::unique_lock lock(mutex_);
    const auto something_to_do = [&] { return !jobs_.empty() || threads_ == 0; };
    do {
      if (!at_most) {
        server_wakes_.wait(lock, something_to_do);
      } else if (!server_wakes_.wait_until(lock, end, something_to_do)) {
        return false;
      }
      if (jobs_.empty()) return true;
      Job& job = *jobs_.front();
      jobs_.pop_front();
      lock.unlock();
      work_for(job);
      lock.lock();
      job.done = true;
      job.wakes.notify_one();
    } while (!at_most || Clock::now() < end);
    return false;
  }

  /// Seconds of work, for the serving thread.
  double busy() const { return busy_; }

 private:
  struct Job {
    const std::function<void()>* work;
    bool done = false;
    std::exception_ptr error{};
    std::condition_variable wakes{};
  };

  void work_for(Job& job) {
    const auto begin = Clock::now();
    try {
      (*job.work)();
    } catch (...) {
      job.error = std::current_exception();
    }
    busy_ += seconds_between(begin, Clock::now());
  }

  std::mutex mutex_;
  std::condition_variable server_wakes_;
  std::deque<Job*> jobs_;
  int threads_ = 0;
  double busy_ = 0.;
};

}  // namespace trackplex::pipeline::detail
