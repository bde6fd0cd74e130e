// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/pipeline/pipeline.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

/// @file
/// A program's events through the pipeline, several times, with a comparison of what is found.

namespace trackplex::program {

/// Events, and what is done with their results.
template <class Event, class Result>
struct EventStream {
  /// The next event; null at the end. Throws where an event is damaged. Called by the reader's
  /// thread; while it works on the next events, those before them are under way.
  std::function<std::shared_ptr<const Event>()> read;
  /// How often the events go through the pipeline. They are read in the first pass.
  int passes = 1;
  /// Each event of the first pass with its result, in the order of the input; called by the
  /// writer's thread. None where empty.
  std::function<void(const Event&, const Result&)> write{};
  /// Whether two results of an event are the same, to the last bit.
  std::function<bool(const Result&, const Result&)> same{};
  /// After each event that was finished or failed; called by the writer's thread.
  std::function<void()> after_event = [] {};
};

/// Events with their results, in the order of the input. Of a run through the pipeline: those that
/// its first pass has finished.
template <class Event, class Result>
struct FoundEvents {
  std::string work;  ///< that has found them, where a run has several
  std::vector<std::shared_ptr<const Event>> events;
  std::vector<Result> results;
  std::vector<std::size_t> numbers;  ///< of the events, counted among those that were read well
  std::string hash;
};

/// The work of a rank in a pass over the events.
struct RankReport {
  std::uint64_t events = 0;  ///< that were finished or failed
  double seconds = 0.;
  pipeline::Ending ending{};
  std::string error{};
};

/// How a stream went through the pipeline, or through those of a farm.
struct StreamReport {
  std::vector<pipeline::Failure> failures;  ///< of the first pass
  pipeline::Statistics statistics;  ///< of all ranks; threads, slots and algorithms of rank 0
  std::vector<double> event_us;     ///< durations over their events, of passes of a farm, or of all
  std::vector<RankReport> ranks;    ///< of a farm
  std::size_t resumed = 0;          ///< events that the journal had
  bool stopped = false;             ///< by a signal to any rank of a farm; on all ranks
};

template <class Event, class Result>
struct StreamOutcome : FoundEvents<Event, Result>, StreamReport {};

namespace detail {

/// What is known of the events between reader and writer, by their indices in the pipeline's input.
template <class Entry>
class UnderWay {
 public:
  void push(Entry entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
  }
  /// Those before it are done.
  Entry at(std::size_t index) {
    const std::lock_guard lock(mutex_);
    for (; first_ < index; ++first_) entries_.pop_front();
    return entries_.front();
  }

 private:
  std::mutex mutex_;
  std::deque<Entry> entries_;
  std::size_t first_ = 0;
};

/// State of a stream that its reader and its writer share.
template <class Event, class Result>
class StreamState {
 public:
  using Pointer = std::shared_ptr<const Event>;

  explicit StreamState(const EventStream<Event, Result>& stream) : stream_(stream) {}

  std::optional<Pointer> read() {
    if (pass_ == 0) {
      if (auto event = next_of_first_pass()) return event;
      pass_ = 1;
    }
    if (next_ == read_.size()) {
      next_ = 0;
      ++pass_;
    }
    if (pass_ >= stream_.passes || read_.empty()) return std::nullopt;
    const std::size_t number = next_++;
    under_way_.push({read_[number], number, pass_});
    return read_[number];
  }

  void write(std::size_t index, Result&& result) {
    auto of = under_way_.at(index);
    if (of.pass > 0) {
      compare(of, result);
    } else {
      if (stream_.write) stream_.write(*of.event, result);
      keep(std::move(of), std::move(result));
    }
    stream_.after_event();
  }

  void fail(const pipeline::Failure& failure) {
    if (failure.event < first_pass_events_) outcome_.failures.push_back(failure);
    stream_.after_event();
  }

  StreamOutcome<Event, Result> outcome(pipeline::Statistics statistics) {
    if (statistics.events_written > 0) outcome_.event_us = {1e6 / statistics.events_per_second()};
    outcome_.statistics = std::move(statistics);
    if (!difference_.empty()) throw Error("pipeline", difference_);
    return std::move(outcome_);
  }

 private:
  struct Entry {
    Pointer event;           ///< null: the reader failed at it
    std::size_t number = 0;  ///< among those that were read well
    int pass = 0;
  };

  std::optional<Pointer> next_of_first_pass() {
    try {
      if (auto event = stream_.read()) {
        ++asked_for_;
        under_way_.push({event, n_read_++, 0});
        read_.push_back(event);
        return event;
      }
    } catch (...) {
      ++asked_for_;
      under_way_.push({});
      throw;
    }
    first_pass_events_ = asked_for_;
    return std::nullopt;
  }

  void keep(Entry&& of, Result&& result) {
    outcome_.numbers.push_back(of.number);
    outcome_.events.push_back(std::move(of.event));
    outcome_.results.push_back(std::move(result));
  }

  void compare(const Entry& of, const Result& result) {
    const auto& numbers = outcome_.numbers;
    const auto at = std::lower_bound(numbers.begin(), numbers.end(), of.number);
    const bool known = at != numbers.end() && *at == of.number;
    if (known && stream_.same(outcome_.results[std::size_t(at - numbers.begin())], result)) return;
    if (difference_.empty())
      difference_ = "event " + std::to_string(of.number) + " gave other results in pass " +
                    std::to_string(of.pass + 1) + " than in the first pass";
  }

  const EventStream<Event, Result>& stream_;
  StreamOutcome<Event, Result> outcome_;
  UnderWay<Entry> under_way_;

  // Of the reader.
  std::vector<Pointer> read_;
  std::size_t n_read_ = 0, asked_for_ = 0, next_ = 0;
  int pass_ = 0;
  /// Indices of later passes begin here.
  std::atomic<std::size_t> first_pass_events_{std::numeric_limits<std::size_t>::max()};

  // Of the writer.
  std::string difference_;
};

}  // namespace detail

/// Takes a stream of events through a pipeline: `run(read, write, fail)` runs it.
/// @throws Error where passes gave different results
template <class Event, class Result, class RunPipeline>
StreamOutcome<Event, Result> take_stream(const EventStream<Event, Result>& stream,
                                         const RunPipeline& run) {
  if (stream.passes > 1 && !stream.same)
    throw UsageError("take_stream", "several passes need results to compare with");
  detail::StreamState<Event, Result> state(stream);
  auto statistics =
      run([&](std::stop_token) { return state.read(); },
          [&](std::size_t index, Result&& result) { state.write(index, std::move(result)); },
          [&](const pipeline::Failure& failure) { state.fail(failure); });
  return state.outcome(std::move(statistics));
}

}  // namespace trackplex::program
