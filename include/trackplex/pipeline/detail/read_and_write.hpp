// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/run_state.hpp>
#include <trackplex/pipeline/detail/stop_token.hpp>

#include <atomic>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

namespace trackplex::pipeline::detail {

inline std::string too_many_failures(const char* who, int n, const std::string& last) {
  return std::string("the ") + who + " failed " + std::to_string(n) +
         " times in a row, at last with: " + last;
}

/// Work of the reader's thread until the input ends, the run is stopped or the reader fails.
template <class Event, class Result>
class Reading {
 public:
  explicit Reading(RunState<Event, Result>& state) : state_(state) {}

  /// False if the thread was abandoned.
  bool read_all() {
    const std::stop_token stop = state_.stop_reader.get_token();
    while (!stop.stop_requested() && !ended_)
      if (!read_one(stop)) return false;
    record_batch();
    state_.flow.reader_time().thread_ended();
    state_.flow.end_input();
    return true;
  }

 private:
  bool read_one(const std::stop_token& stop) {
    std::optional<Event> event;
    std::optional<std::string> error;
    if (events_ == 0) begin_us_ = lane_.now_us();
    state_.reader_watch.begin();
    try {
      event = state_.reader(stop);
    } catch (...) {
      error = current_message();
    }
    if (!state_.reader_watch.end()) return false;
    if (error) {
      failed(*error);
    } else if (event) {
      failures_in_a_row_ = 0;
      added(state_.flow.add(std::move(*event)));
    } else {
      ended_ = true;
    }
    return true;
  }

  void failed(const std::string& message) {
    added(state_.flow.add_failure(message));
    if (++failures_in_a_row_ < state_.options.max_failures_in_a_row) return;
    state_.end(Ending::reader_failed, too_many_failures("reader", failures_in_a_row_, message));
    ended_ = true;
  }

  void added(const typename Flow<Event, Result>::Place& place) {
    if (place.batch != batch_) record_batch();
    batch_ = place.batch;
    ++events_;
    if (!place.is_last) return;
    record_batch();
    const double begin_us = lane_.now_us();
    state_.flow.wait_for_room();
    lane_.record_wait(begin_us);
  }

  /// A span for the events of a batch.
  void record_batch() {
    if (events_ > 0) lane_.record("read", begin_us_, batch_, events_);
    events_ = 0;
  }

  RunState<Event, Result>& state_;
  const Lane lane_ = state_.reader_lane;
  int failures_in_a_row_ = 0;
  bool ended_ = false;
  std::size_t batch_ = 0;
  std::size_t events_ = 0;  ///< of that batch, so far
  double begin_us_ = 0.;
};

/// Work of the writer's thread until everything is written, or the writer fails.
template <class Event, class Result>
class Writing {
 public:
  explicit Writing(RunState<Event, Result>& state) : state_(state) {}

  /// False if the thread was abandoned.
  bool write_all() {
    const Lane lane = state_.writer_lane;
    double begin_us = lane.now_us();
    while (auto* const batch = state_.flow.next_done()) {
      lane.record_wait(begin_us);
      begin_us = lane.now_us();
      if (!write(*batch)) return false;
      lane.record("write", begin_us, batch->number, batch->n_events);
      if (state_.flow.aborted()) break;
      state_.flow.recycle(batch);
      begin_us = lane.now_us();
    }
    state_.flow.writer_time().thread_ended();
    return true;
  }

 private:
  /// Results and failures in the order of input.
  bool write(Batch<Event, Result>& batch) {
    auto failure = batch.failures.begin();
    std::size_t i = 0;
    while (!state_.flow.aborted()) {
      const bool results_left = i < batch.results.size();
      if (failure != batch.failures.end() &&
          (!results_left || failure->event < batch.result_indices[i])) {
        if (!report(*failure++)) return false;
      } else if (results_left) {
        if (!write_one(batch.result_indices[i], std::move(batch.results[i]))) return false;
        ++i;
      } else {
        break;
      }
    }
    return true;
  }

  bool write_one(std::size_t event, Result&& result) {
    std::string error;
    if (!call([&] { state_.writer(event, std::move(result), stop_); }, error)) return false;
    if (error.empty()) {
      failures_in_a_row_ = 0;
      count(state_.written);
      return true;
    }
    return report({event, "write", error}) && count_failure(error);
  }

  bool report(const Failure& failure) {
    std::string error;
    if (!call([&] { state_.on_failure(failure); }, error)) return false;
    count(state_.failed);
    return error.empty() || count_failure(error);
  }

  /// Only this thread writes these.
  static void count(std::atomic<std::size_t>& events) {
    events.store(events.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  bool count_failure(const std::string& message) {
    if (++failures_in_a_row_ < state_.options.max_failures_in_a_row) return true;
    state_.end(Ending::writer_failed, too_many_failures("writer", failures_in_a_row_, message));
    state_.give_up();
    return true;
  }

  /// Calls the user's function. False if the thread was abandoned.
  template <class Call>
  bool call(const Call& user, std::string& error) {
    state_.writer_watch.begin();
    try {
      user();
    } catch (...) {
      error = current_message();
      if (error.empty()) error = "an exception without a message";
    }
    return state_.writer_watch.end();
  }

  RunState<Event, Result>& state_;
  const std::stop_token stop_ = state_.stop_writer.get_token();
  int failures_in_a_row_ = 0;
};

}  // namespace trackplex::pipeline::detail
