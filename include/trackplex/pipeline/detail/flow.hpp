// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/batch.hpp>
#include <trackplex/pipeline/detail/latencies.hpp>
#include <trackplex/pipeline/detail/waiting_time.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::pipeline::detail {

/// Flow of batches: free -> filled by the reader -> queue -> slots -> done -> writer -> free.
/// The number of batches is fixed, so that a thread that is too fast waits. Reader, slots and
/// writer are threads; all functions may be called at the same time.
template <class Event, class Result>
class Flow {
 public:
  using Batch = detail::Batch<Event, Result>;

  /// Batches by which the reader may be ahead and the writer late while all slots work.
  static constexpr int batches_beside_slots = 4;

  Flow(int slots, int events_per_batch, std::chrono::milliseconds flush_after)
      : events_per_batch_(std::size_t(events_per_batch)),
        flush_after_(std::min<Clock::duration>(flush_after, std::chrono::hours(24 * 365))),
        batches_(std::size_t(slots + batches_beside_slots)),
        done_(batches_.size(), nullptr) {
    for (Batch& batch : batches_) free_.push_back(&batch);
  }

  /// Destination of an event.
  struct Place {
    std::size_t batch;  ///< its number
    bool is_last;       ///< the batch is full
  };

  /// For the reader: waits until a batch can take an event, or the run ends.
  void wait_for_room() {
    std::unique_lock lock(mutex_);
    wait_for_room(lock);
  }
  /// Adds the next event of the input; waits while no batch can take it.
  Place add(Event&& event) {
    return add_with([&](Batch& batch, std::size_t index) {
      batch.events.push_back(std::move(event));
      batch.event_indices.push_back(index);
    });
  }
  /// Adds the failure of the next event of the input, which could not be read.
  Place add_failure(const std::string& message) {
    return add_with([&](Batch& batch, std::size_t index) {
      batch.failures.push_back({index, "read", message});
    });
  }
  /// Ends the input: passes the last batch on.
  void end_input() {
    const std::lock_guard lock(mutex_);
    if (filling_ != nullptr && filling_->n_events > 0) dispatch();
    input_ended_ = true;
    wake_all();
  }
  bool input_ended() const {
    const std::lock_guard lock(mutex_);
    return input_ended_;
  }

  /// For a slot: the next batch; null at the end.
  Batch* take() {
    std::unique_lock lock(mutex_);
    for (;;) {
      if (aborted()) return nullptr;
      if (queue_.empty() && is_due(Clock::now())) dispatch();
      if (!queue_.empty()) {
        Batch* const batch = queue_.front();
        queue_.pop_front();
        return batch;
      }
      if (input_ended_) return nullptr;
      if (filling_ != nullptr && filling_->n_events > 0) {
        slots_wake_.wait_until(lock, filling_->begin + flush_after_);
      } else {
        slots_wake_.wait(lock);
      }
    }
  }
  /// From a slot: results and failures of a batch are known.
  void complete(Batch* batch) {
    const std::lock_guard lock(mutex_);
    done_[batch->number % done_.size()] = batch;
    if (batch->number == next_written_) writer_wakes_.notify_one();
  }

  /// For the writer: the next batch in the order of input; null at the end.
  Batch* next_done() {
    std::unique_lock lock(mutex_);
    Batch*& next = done_[next_written_ % done_.size()];
    const auto something_to_do = [&] {
      return aborted() || next != nullptr || (input_ended_ && next_written_ == dispatched_);
    };
    if (!something_to_do()) writer_time_.wait([&] { writer_wakes_.wait(lock, something_to_do); });
    return aborted() ? nullptr : std::exchange(next, nullptr);
  }
  /// From the writer: a batch is written.
  void recycle(Batch* batch) {
    batch->clear();
    const double latency = seconds_between(batch->begin, Clock::now());
    const std::lock_guard lock(mutex_);
    latencies_.add(latency);
    ++next_written_;
    free_.push_back(batch);
    reader_wakes_.notify_one();
  }

  WaitingTime& reader_time() { return reader_time_; }
  WaitingTime& writer_time() { return writer_time_; }

  /// Gives up the batches in flight and lets all threads return.
  void abort() {
    const std::lock_guard lock(mutex_);
    aborted_.store(true);
    wake_all();
  }
  bool aborted() const { return aborted_.load(std::memory_order_relaxed); }
  const std::atomic<bool>& abort_flag() const { return aborted_; }

  void fill_in(Statistics& statistics) const {
    const std::lock_guard lock(mutex_);
    statistics.events_read = events_read_;
    statistics.batches = dispatched_;
    statistics.max_batches_in_flight = max_in_flight_;
    statistics.median_latency = latencies_.quantile(0.5);
    statistics.latency_99 = latencies_.quantile(0.99);
  }

 private:
  template <class Put>
  Place add_with(const Put& put) {
    std::unique_lock lock(mutex_);
    const std::size_t index = events_read_++;
    wait_for_room(lock);
    const std::size_t batch = dispatched_;
    if (aborted()) return {batch, false};
    if (filling_ == nullptr) begin_batch();
    put(*filling_, index);
    if (++filling_->n_events < events_per_batch_) return {batch, false};
    dispatch();
    return {batch, true};
  }

  void wait_for_room(std::unique_lock<std::mutex>& lock) {
    const auto has_room = [&] { return aborted() || filling_ != nullptr || !free_.empty(); };
    if (!has_room()) reader_time_.wait([&] { reader_wakes_.wait(lock, has_room); });
  }

  void begin_batch() {
    filling_ = free_.back();
    free_.pop_back();
    filling_->begin = Clock::now();
    max_in_flight_ = std::max(max_in_flight_, batches_.size() - free_.size());
    slots_wake_.notify_one();  // an idle slot waits until it is due
  }

  /// Whether the batch that is being filled has waited long enough.
  bool is_due(Clock::time_point now) const {
    return filling_ != nullptr && filling_->n_events > 0 && now >= filling_->begin + flush_after_;
  }

  void dispatch() {
    filling_->number = dispatched_++;
    queue_.push_back(filling_);
    filling_ = nullptr;
    slots_wake_.notify_one();
  }

  void wake_all() {
    reader_wakes_.notify_all();
    slots_wake_.notify_all();
    writer_wakes_.notify_all();
  }

  const std::size_t events_per_batch_;
  const Clock::duration flush_after_;

  mutable std::mutex mutex_;
  std::condition_variable reader_wakes_, slots_wake_, writer_wakes_;
  std::vector<Batch> batches_;
  std::vector<Batch*> free_;
  Batch* filling_ = nullptr;
  std::deque<Batch*> queue_;
  std::vector<Batch*> done_;  ///< at its number, modulo the number of batches
  std::size_t events_read_ = 0;
  std::size_t dispatched_ = 0;    ///< batches
  std::size_t next_written_ = 0;  ///< number of a batch
  std::size_t max_in_flight_ = 0;
  Latencies latencies_;  ///< of batches, from the first event read to the last one written
  bool input_ended_ = false;
  std::atomic<bool> aborted_{false};
  WaitingTime reader_time_, writer_time_;
};

}  // namespace trackplex::pipeline::detail
