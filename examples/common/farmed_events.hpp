// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A program's events, dealt to ranks: each takes those that it draws through its pipeline, and
/// rank 0 gets all results in the order of the events. With a journal, also without ranks.

#include <common/event_source.hpp>
#include <common/event_stream.hpp>
#include <trackplex/core/bytes.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/pipeline/event_farm.hpp>
#include <trackplex/pipeline/journal.hpp>
#include <trackplex/pipeline/pipeline.hpp>
#include <trackplex/pipeline/stop_flag.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::program {

namespace detail {

/// The events of an input by their numbers. It is read as far as it has been asked for.
template <class Event>
class EventsByNumber {
 public:
  using Pointer = std::shared_ptr<const Event>;

  explicit EventsByNumber(std::function<Pointer()> next) : next_(std::move(next)) {}

  /// Null: the input ends before. Throws what reading the event has thrown.
  Pointer at(std::size_t number) {
    if (!has(number)) return nullptr;
    const std::lock_guard lock(mutex_);
    if (read_[number].error) std::rethrow_exception(read_[number].error);
    return read_[number].event;
  }
  /// Whether the input has this event, which may be damaged.
  bool has(std::size_t number) {
    const std::lock_guard lock(mutex_);
    while (!ended_ && read_.size() <= number) read_one();
    return number < read_.size();
  }

 private:
  struct Read {
    Pointer event;
    std::exception_ptr error;
  };

  void read_one() {
    try {
      if (auto event = next_())
        read_.push_back({std::move(event), {}});
      else
        ended_ = true;
    } catch (...) {
      read_.push_back({nullptr, std::current_exception()});
    }
  }

  const std::function<Pointer()> next_;
  std::mutex mutex_;
  std::deque<Read> read_;
  bool ended_ = false;
};

}  // namespace detail

/// Takes events through pipelines of all ranks, several times. Rank 0 has the outcome; others only
/// whether a signal has stopped it.
template <class Event, class Result>
class FarmedEvents {
 public:
  using Pointer = std::shared_ptr<const Event>;
  using Stream = EventStream<Event, Result>;
  using Outcome = pipeline::EventFarm::Outcome;

  /// Makes the farm of all ranks.
  using MakeFarm = std::function<std::unique_ptr<pipeline::EventFarm>(
      const pipeline::EventFarmOptions&, const pipeline::EventFarm::Write&)>;

  /// `stream.read` gives all events to rank 0, and to others where `source` is in memory.
  FarmedEvents(const Ranks* ranks, MakeFarm make_farm, const Stream& stream,
               const EventSource<Event>& source, pipeline::Journal* journal, std::size_t batch,
               std::size_t slots, const pipeline::StopFlag& stop)
      : ranks_(ranks),
        make_farm_(std::move(make_farm)),
        stream_(stream),
        source_(source),
        journal_(journal),
        stop_(stop),
        events_(stream.read) {
    options_.batch = batch;
    options_.in_flight = (slots + 1) * batch;
    options_.window = 64 * batch * std::size_t(ranks ? ranks->size() : 1);
    options_.stopped = [this] { return stop_.stop_requested(); };
  }

  /// `run(read, write, fail)` runs the pipeline of this rank.
  /// @throws Error where passes gave different results or a rank has lost events
  template <class RunPipeline>
  StreamOutcome<Event, Result> take(const RunPipeline& run) {
    if (journal_) {
      outcome_.resumed = journal_->size();
      journal_->replay([&](std::span<const std::byte> bytes) { finish_event(n_done_, bytes); });
    }
    for (pass_ = 0; pass_ < std::max(1, stream_.passes); ++pass_) {
      const bool ended = take_pass(run);
      if (on_any(ranks_, ended || stop_.stop_requested())) break;
    }
    if (!difference_.empty()) throw Error("event farm", difference_);
    outcome_.stopped = on_any(ranks_, stop_.stop_requested());
    return std::move(outcome_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool is_first() const { return !ranks_ || ranks_->rank() == 0; }

  /// Returns whether it has ended before the input.
  template <class RunPipeline>
  bool take_pass(const RunPipeline& run) {
    if (pass_ > 0) n_done_ = 0;
    auto options = options_;
    options.first = n_done_;
    if (source_.limit > 0) options.limit = end_of_events();
    detail::UnderWay<std::size_t> under_way;
    const auto farm =
        make_farm_(options, [&](std::size_t event, Outcome&& bytes) { write(event, bytes); });
    farm_ = farm.get();
    if (is_first() && has_all_events()) farm->close();
    const auto next = next_of_farm(*farm, under_way);
    const auto first = n_done_;
    std::optional<Clock::time_point> begin;  // when the memory of the slots is there
    const auto statistics = run(
        [&](std::stop_token) -> std::optional<Pointer> {
          if (!begin) begin = Clock::now();
          auto event = next();
          return event ? std::optional(std::move(event)) : std::nullopt;
        },
        [&](std::size_t i, Result&& result) {
          farm->give(under_way.at(i), ByteWriter().add(true).add(result).take());
        },
        [&](const pipeline::Failure& failure) {
          farm->give(under_way.at(failure.event),
                     ByteWriter().add(false).add(failure.stage).add(failure.message).take());
        });
    RankReport own{statistics.events_written + statistics.events_failed, statistics.seconds,
                   statistics.ending, statistics.error};
    if (stop_.stop_requested() && !statistics.broken())
      own.ending = pipeline::Ending::stop_requested;
    const bool early = own.ending != pipeline::Ending::end_of_input;
    const auto reports = farm->finish(early, ByteWriter().add(own).take());
    const double seconds =
        std::chrono::duration<double>(Clock::now() - begin.value_or(Clock::now())).count();
    return is_first() && end_pass(statistics, reports, n_done_ - first, seconds);
  }

  /// The events that this rank draws.
  std::function<Pointer()> next_of_farm(pipeline::EventFarm& farm,
                                        detail::UnderWay<std::size_t>& under_way) {
    const auto numbers = [&] {
      const auto number = farm.next();
      if (number) under_way.push(*number);
      return number;
    };
    if (!is_first() && !source_.in_memory) return source_.open_numbers(numbers);
    return [this, numbers] {
      const auto number = numbers();
      return number ? events_.at(*number) : nullptr;
    };
  }

  /// Number behind that of the last event, as far as it is known; those from it on may be too many.
  std::size_t end_of_events() const { return source_.limit + n_unread_; }
  bool has_all_events() const { return source_.limit > 0 && n_done_ == end_of_events(); }

  /// The outcome of the next event, on rank 0.
  void write(std::size_t event, const Outcome& bytes) {
    if (pass_ == 0 && journal_) journal_->add(bytes);
    const auto unread = n_unread_;
    finish_event(event, bytes);
    if (has_all_events())
      farm_->close();
    else if (n_unread_ > unread && source_.limit > 0)
      farm_->limit(end_of_events());
  }

  void finish_event(std::size_t number, std::span<const std::byte> bytes) {
    ByteReader reader(bytes);
    const bool is_well = reader.read<bool>();
    if (pass_ > 0) {
      compare(number, is_well, bytes);
    } else if (is_well) {
      keep(number, reader.read<Result>());
    } else {
      pipeline::Failure failure{number, {}, {}};
      reader.read(failure.stage);
      reader.read(failure.message);
      fail(std::move(failure));
    }
    if (pass_ == 0 && stream_.passes > 1) checksums_.push_back(checksum(bytes));
    ++n_done_;
    stream_.after_event();
  }

  void keep(std::size_t number, Result&& result) {
    const char* stage = "read";
    try {
      auto event = events_.at(number);
      if (!event) throw InputError({}, "the input has fewer events than before");
      stage = "write";
      if (stream_.write) stream_.write(*event, result);
      outcome_.events.push_back(std::move(event));
      outcome_.numbers.push_back(number - n_unread_);
      outcome_.results.push_back(std::move(result));
      places_.push_back(number);
    } catch (...) {
      fail({number, stage, pipeline::detail::current_message()});
    }
  }
  void fail(pipeline::Failure&& failure) {
    n_unread_ += failure.stage == "read";
    outcome_.failures.push_back(std::move(failure));
  }

  /// With the first pass: bytes, or where these differ, results.
  void compare(std::size_t number, bool is_well, std::span<const std::byte> bytes) {
    if (number < checksums_.size() && checksums_[number] == checksum(bytes)) return;
    const auto at = std::ranges::lower_bound(places_, number);
    if (is_well && at != places_.end() && *at == number) {
      ByteReader reader(bytes.subspan(sizeof(bool)));
      const auto& first = outcome_.results[std::size_t(at - places_.begin())];
      if (stream_.same(first, reader.read<Result>())) return;
    }
    if (difference_.empty())
      difference_ = "event " + std::to_string(number) + " gave other results in pass " +
                    std::to_string(pass_ + 1) + " than in the first one";
  }

  /// Sums a pass up; returns whether it has ended before the input.
  bool end_pass(const pipeline::Statistics& of_first, const std::vector<Outcome>& reports,
                std::size_t done, double seconds) {
    using pipeline::Ending;
    auto statistics = of_first;
    statistics.ending = Ending::end_of_input;
    std::vector<RankReport> ranks;
    std::size_t begun = 0;
    for (const auto& bytes : reports) {
      const auto& rank = ranks.emplace_back(ByteReader(bytes).read<RankReport>());
      begun += std::size_t(rank.events);
      if (rank.ending != Ending::end_of_input && statistics.ending == Ending::end_of_input) {
        statistics.ending = rank.ending;
        statistics.error = rank.error;
        if (reports.size() > 1 && !rank.error.empty())
          statistics.error = "rank " + std::to_string(ranks.size() - 1) + ": " + rank.error;
      }
    }
    const bool early = statistics.ending != Ending::end_of_input;
    if (!early && (done < begun || (!has_all_events() && events_.has(n_done_))))
      throw Error("event farm", "events got no outcome",
                  std::to_string(done) + " of " + std::to_string(begun));
    if (done > 0) outcome_.event_us.push_back(1e6 * seconds / double(done));
    if (pass_ > 0) {
      if (early && outcome_.statistics.ending == Ending::end_of_input)
        outcome_.statistics.ending = statistics.ending;
      return early;
    }
    std::size_t failed = 0;
    for (const auto& failure : outcome_.failures) failed += failure.event >= outcome_.resumed;
    statistics.events_read = begun;
    statistics.events_failed = failed;
    statistics.events_written = done - failed;
    statistics.events_not_processed = begun - done;
    statistics.seconds = seconds;
    outcome_.statistics = std::move(statistics);
    outcome_.ranks = std::move(ranks);
    return early;
  }

  const Ranks* ranks_;
  const MakeFarm make_farm_;
  const Stream& stream_;
  const EventSource<Event>& source_;
  pipeline::Journal* journal_;
  const pipeline::StopFlag& stop_;
  pipeline::EventFarmOptions options_;
  pipeline::EventFarm* farm_ = nullptr;
  detail::EventsByNumber<Event> events_;
  StreamOutcome<Event, Result> outcome_;
  int pass_ = 0;
  std::size_t n_done_ = 0;                ///< events of this pass, from the first one
  std::size_t n_unread_ = 0;              ///< of the first pass: those that could not be read
  std::vector<std::uint64_t> checksums_;  ///< of the outcomes of all events
  std::vector<std::size_t> places_;       ///< numbers of the events with results
  std::string difference_;
};

}  // namespace trackplex::program
