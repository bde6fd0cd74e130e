// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::pipeline {

/// Options of an EventFarm. Outcomes and their order depend only on `first`.
struct EventFarmOptions {
  std::size_t first = 0;  ///< Number of the first event: earlier events are done.
  std::size_t batch = 1;  ///< Number of events that a process takes at a time.
  /// Max number of events that a process has begun without an outcome yet; at least two
  /// batches.
  std::size_t in_flight = 1024;
  /// Max distance of a begun event from the first one whose outcome is missing, and so the max
  /// number of outcomes that wait for those of a slow process. At least one batch per process.
  std::size_t window = 65536;
  /// Number from which events wait for `EventFarm::limit`.
  std::size_t limit = std::numeric_limits<std::size_t>::max() / 2;
  /// Whether to begin no more events; called while waiting. Optional.
  std::function<bool()> stopped{};
};

/// Deals the numbers of events to those who work on them, and passes the outcomes, which are any
/// bytes, to a writer in the order of the numbers. This farm is of one process; `mpi::MpiEventFarm`
/// deals to many. The reader and the writer of a pipeline are threads that may use it.
class EventFarm {
 public:
  using Outcome = std::vector<std::byte>;  ///< Outcome of an event, any bytes.
  /// Called for one event at a time, in the order of event numbers.
  using Write = std::function<void(std::size_t event, Outcome&&)>;

  /// @throws UsageError for options out of range
  EventFarm(EventFarmOptions options, Write write)
      : options_(std::move(options)), write_(std::move(write)) {
    if (options_.batch < 1) throw UsageError("EventFarm", "a batch must have at least 1 event");
    if (options_.in_flight < 2 * options_.batch)
      throw UsageError("EventFarm", "at least two batches must be in flight",
                       std::to_string(options_.in_flight) + " events of " +
                           std::to_string(options_.batch) + " per batch");
    written_ = drawn_ = options_.first;
    limit_ = std::int64_t(options_.limit);
    bound_ = first_bound();
  }
  EventFarm(const EventFarm&) = delete;
  EventFarm& operator=(const EventFarm&) = delete;
  virtual ~EventFarm() = default;

  /// Returns the number of the next event of this process, in ascending order; waits while too many
  /// are in progress. Nothing once the farm is closed or stopped.
  std::optional<std::size_t> next() {
    std::unique_lock lock(mutex_);
    if (next_ == end_) {
      const auto may_draw = [&] {
        return begun_ - given_ + options_.batch <= options_.in_flight || is_stopped();
      };
      while (!may_draw()) given_some_.wait_for(lock, poll_interval);
      if (is_stopped()) return std::nullopt;
      next_ = draw(options_.batch);
      end_ = next_ + options_.batch;
      known_bound_ = 0;  // requested once per batch if no event waits
    }
    while (!is_stopped() && std::int64_t(next_) >= known_bound_) {
      known_bound_ = bound();
      if (known_bound_ == closed) break;
      if (std::int64_t(next_) < known_bound_) break;
      given_some_.wait_for(lock, poll_interval);
    }
    if (is_stopped() || known_bound_ == closed) return std::nullopt;
    ++begun_;
    return next_++;
  }

  /// Takes the outcome of an event that next() has returned; called by one thread at a time.
  void give(std::size_t event, Outcome&& outcome) {
    bool is_last;
    {
      const std::lock_guard lock(mutex_);
      is_last = ++given_ == begun_;
    }
    given_some_.notify_all();
    deliver(event, std::move(outcome), is_last);
  }

  /// Events from this number on wait until the limit changes; for the process that writes.
  void limit(std::size_t end) {
    const std::lock_guard lock(write_mutex_);
    limit_ = std::int64_t(end);
    publish();
  }
  /// No process begins further batches; for the process that writes.
  void close() {
    const std::lock_guard lock(write_mutex_);
    is_closed_ = true;
    publish();
  }

  /// Number of the first event that has not been written; for the process that writes.
  std::size_t written() const {
    const std::lock_guard lock(write_mutex_);
    return written_;
  }

  /// Ends the farm, after all outcomes of this process. `early`: some events that it has begun get
  /// no outcome; no further events are begun then. Returns the reports of all processes.
  /// @throws what the writer throws
  virtual std::vector<Outcome> finish(bool early = false, Outcome report = {}) {
    end(early);
    rethrow();
    return {std::move(report)};
  }

 protected:
  static constexpr std::int64_t closed = -1;                    ///< Bound of a farm that is closed.
  static constexpr std::chrono::milliseconds poll_interval{1};  ///< Time between two polls.

  /// Number below which events may be begun at first.
  std::int64_t first_bound() const {
    return std::int64_t(std::min(options_.first + options_.window, options_.limit));
  }

  /// This process begins no further events.
  void end(bool early) {
    has_ended_ = true;
    given_some_.notify_all();
    if (early) close();
  }
  /// Throws the error of a failure, if any.
  void rethrow() const {
    const std::lock_guard lock(write_mutex_);
    if (error_) std::rethrow_exception(error_);
  }

  /// Returns the first of the next n numbers.
  virtual std::size_t draw(std::size_t n) { return std::exchange(drawn_, drawn_ + n); }
  /// Returns the number below which events may be begun.
  virtual std::int64_t bound() { return bound_; }
  /// Tells all processes the number below which events may be begun.
  virtual void set_bound(std::int64_t bound) { bound_ = bound; }
  /// Brings an outcome to the process that writes. `is_last`: it is the last outcome in progress
  /// here; the next one may wait for it.
  virtual void deliver(std::size_t event, Outcome&& outcome, bool /*is_last*/) {
    write_in_order(event, std::move(outcome));
  }

  /// Writes this outcome and later ones once all earlier ones have arrived.
  void write_in_order(std::size_t event, Outcome&& outcome) {
    std::unique_lock lock(write_mutex_);
    if (error_) return;
    waiting_.emplace(event, std::move(outcome));
    if (writes_) return;  // another thread continues
    writes_ = true;
    bool wrote = false;
    while (!error_ && !waiting_.empty() && waiting_.begin()->first == written_) {
      auto next = waiting_.extract(waiting_.begin());
      lock.unlock();
      std::exception_ptr error;
      try {
        write_(next.key(), std::move(next.mapped()));
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      wrote = true;
      if (error)
        fail(lock, error);
      else
        ++written_;
    }
    writes_ = false;
    if (wrote) publish();
  }

  /// Ends the farm with this error.
  void fail(std::exception_ptr error) {
    std::unique_lock lock(write_mutex_);
    fail(lock, error);
  }

  /// Whether the farm has ended or is ending.
  bool is_stopped() const { return has_ended_ || (options_.stopped && options_.stopped()); }
  const EventFarmOptions& options() const { return options_; }  ///< The options.

 private:
  void fail(std::unique_lock<std::mutex>&, std::exception_ptr error) {
    if (!error_) error_ = error;
    is_closed_ = true;
    publish();
  }
  void publish() {
    set_bound(is_closed_ ? closed : std::min(std::int64_t(written_ + options_.window), limit_));
  }

  EventFarmOptions options_;
  const Write write_;

  std::mutex mutex_;
  std::condition_variable given_some_;
  std::size_t next_ = 0, end_ = 0;     ///< numbers drawn but not yet begun
  std::size_t begun_ = 0, given_ = 0;  ///< counts
  std::size_t drawn_ = 0;              ///< number to draw next
  std::int64_t known_bound_ = 0;

  mutable std::mutex write_mutex_;
  std::map<std::size_t, Outcome> waiting_;  ///< outcomes that wait for earlier ones
  std::size_t written_ = 0;
  std::int64_t limit_ = 0;
  bool writes_ = false, is_closed_ = false;
  std::exception_ptr error_;
  std::atomic<std::int64_t> bound_{0};
  std::atomic<bool> has_ended_{false};
};

}  // namespace trackplex::pipeline
