// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/pipeline/detail/batch.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace trackplex::pipeline::detail {

/// Whether fewer events at a time may help against the exception that is being handled.
inline bool concerns_memory() {
  try {
    throw;
  } catch (const CapacityError&) {
    return true;
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// Calls work where and when kernels may be launched, and waits for it; throws what it throws.
using Launch = std::function<void(const std::function<void()>&)>;

/// Calls work when it goes out of scope, with or without an exception.
template <class Work>
struct ScopeGuard {
  explicit ScopeGuard(Work w) : work(std::move(w)) {}
  ~ScopeGuard() { work(); }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

  Work work;
};

/// Runs batches through a slot's processor. A failed batch is halved until the events that fail
/// on their own are known.
template <class Event, class Result, class ExecutionSpace, class Processor>
class SlotWorker {
 public:
  using Batch = detail::Batch<Event, Result>;

  SlotWorker(const ExecutionSpace& exec, Processor& processor, Launch launch, Lane lane,
             int events_per_batch, const std::atomic<bool>& aborted)
      : exec_(exec),
        processor_(processor),
        launch_(std::move(launch)),
        lane_(lane),
        max_events_(std::size_t(events_per_batch)),
        events_at_a_time_(max_events_),
        aborted_(aborted) {}

  /// Finds the result or the failure of each event. Ends early if the run is given up.
  void work(Batch& batch) {
    ++statistics_.batches;
    statistics_.events += batch.events.size();
    made_smaller_ = batch.events.size() > events_at_a_time_;
    at_the_start_ = events_at_a_time_;
    process_in_parts(batch, 0, batch.events.size());
    batches_made_smaller_ += made_smaller_;
    try_larger_parts_soon();
    std::sort(batch.failures.begin(), batch.failures.end(),
              [](const Failure& a, const Failure& b) { return a.event < b.event; });
  }

  const SlotStatistics& statistics() const { return statistics_; }
  std::size_t batches_made_smaller() const { return batches_made_smaller_; }

 private:
  void process_in_parts(Batch& batch, std::size_t begin, std::size_t end) {
    while (begin < end && !aborted_.load(std::memory_order_relaxed)) {
      const std::size_t n = std::min(end - begin, events_at_a_time_);
      process(batch, begin, n);
      begin += n;
    }
  }

  void process(Batch& batch, std::size_t begin, std::size_t n) {
    const std::size_t half = (n + 1) / 2;
    stage_ = "stage";
    try {
      attempt(batch, begin, n);
      return;
    } catch (...) {
      if (n == 1) {
        batch.failures.push_back({batch.event_indices[begin], stage_, current_message()});
        events_at_a_time_ =
            std::max(events_at_a_time_, at_the_start_);  // smaller parts do not help
        return;
      }
      if (concerns_memory()) {
        events_at_a_time_ = std::min(events_at_a_time_, half);
        made_smaller_ = true;
      }
    }
    process_in_parts(batch, begin, begin + half);
    process_in_parts(batch, begin + half, begin + n);
  }

  /// The results of all n events, or an exception and nothing.
  void attempt(Batch& batch, std::size_t begin, std::size_t n) {
    batch_ = batch.number;
    n_ = n;
    timed("stage", statistics_.stage,
          [&] { processor_.stage(std::span<const Event>(batch.events).subspan(begin, n)); });
    run();
    results_.clear();
    timed("collect", statistics_.collect, [&] { processor_.collect(results_); });
    if (results_.size() != n)
      throw UsageError("Processor::collect", "a result of each event is needed",
                       "it gave " + std::to_string(results_.size()) + " of " + std::to_string(n));
    batch.results.reserve(batch.results.size() + n);  // after this, nothing fails
    batch.result_indices.reserve(batch.results.size() + n);
    for (std::size_t i = 0; i < n; ++i) {
      batch.results.push_back(std::move(results_[i]));
      batch.result_indices.push_back(batch.event_indices[begin + i]);
    }
  }

  void run() {
    stage_ = "run";
    const double asked_us = lane_.now_us();
    const auto asked = Clock::now();
    auto began = asked;
    const auto job = [&] {
      began = Clock::now();
      run_to_the_end();
    };
    const ScopeGuard add_times([&] {
      statistics_.waiting_to_run += seconds_between(asked, began);
      statistics_.run += seconds_between(began, Clock::now());
      const double began_us = asked_us + 1e6 * seconds_between(asked, began);
      if (began_us - asked_us >= 1.) lane_.record_wait(asked_us, began_us);
      lane_.record("run", began_us, batch_, n_);
    });
    launch_(std::ref(job));
  }

  /// In any case, the instance has finished afterwards.
  void run_to_the_end() {
    try {
      processor_.run();
    } catch (...) {
      const auto error = std::current_exception();
      try {
        exec_.fence();
      } catch (...) {  // the first error tells more
      }
      std::rethrow_exception(error);
    }
  }

  template <class Work>
  void timed(const char* stage, double& seconds, const Work& work) {
    stage_ = stage;
    const double begin_us = lane_.now_us();
    const auto begin = Clock::now();
    const ScopeGuard add_time([&] {
      seconds += seconds_between(begin, Clock::now());
      lane_.record(stage, begin_us, batch_, n_);
    });
    work();
  }

  /// A failure for lack of memory may have been an exception: twice as many events at a time are
  /// tried again, after twice as many batches each time that this fails.
  void try_larger_parts_soon() {
    constexpr int max_batches = 256;
    const bool did_not_fit = events_at_a_time_ < at_the_start_;
    if (did_not_fit) {
      batches_before_a_try_ = std::min(2 * batches_before_a_try_, max_batches);
      batches_at_this_size_ = 0;
    } else if (trying_) {
      batches_before_a_try_ = std::max(batches_before_a_try_ / 2, 1);
    }
    trying_ = !did_not_fit && events_at_a_time_ < max_events_ &&
              ++batches_at_this_size_ >= batches_before_a_try_;
    if (!trying_) return;
    events_at_a_time_ = std::min(2 * events_at_a_time_, max_events_);
    batches_at_this_size_ = 0;
  }

  ExecutionSpace exec_;
  Processor& processor_;
  Launch launch_;
  const Lane lane_;
  const std::size_t max_events_;
  std::size_t events_at_a_time_;
  const std::atomic<bool>& aborted_;

  const char* stage_ = "";
  std::size_t batch_ = 0;
  std::size_t n_ = 0;
  bool made_smaller_ = false;
  std::size_t at_the_start_ = 0;  ///< events at a time
  int batches_at_this_size_ = 0;
  int batches_before_a_try_ = 2;
  bool trying_ = false;
  std::vector<Result> results_;

  SlotStatistics statistics_;
  std::size_t batches_made_smaller_ = 0;
};

}  // namespace trackplex::pipeline::detail
