// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Runs of a chain over the events of a program, called directly or through the pipeline, as the
/// options say. Several ranks, or a run with a journal, deal the events in a farm; rank 0 has the
/// results. SIGINT and SIGTERM end a run through the pipeline with the events that it has read.

#include <common/chain_calls.hpp>
#include <common/event_source.hpp>
#include <common/event_stream.hpp>
#include <common/farmed_events.hpp>
#include <common/fingerprints.hpp>
#include <common/pipeline_options.hpp>
#include <common/pipeline_report.hpp>
#include <common/program.hpp>
#include <common/sequence_file.hpp>
#include <trackplex/core/bytes.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/files.hpp>
#include <trackplex/core/trace.hpp>
#include <trackplex/io/pipeline/chrome_trace.hpp>
#include <trackplex/pipeline/journal.hpp>
#include <trackplex/pipeline/stop_flag.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::program {

/// The part of the runs that does not depend on the types of events and results.
class EventRunsBase {
 public:
  /// Go on after damaged events, which are counted.
  bool skip_bad_events = false;

  const std::vector<std::string>& steps_of_file() const { return selection_.steps; }
  std::size_t bad_events() const { return bad_events_; }

  /// Writes the fingerprints.
  void finish();

 protected:
  EventRunsBase(Program& program, const PipelineRunOptions& options);

  bool has_ranks() const { return program_.ranks() && program_.ranks()->size() > 1; }
  /// Whether events are dealt in a farm. A journal is of the first run.
  bool is_farmed() const { return has_ranks() || (!options_.journal.empty() && !has_taken_); }

  [[noreturn]] void refuse_no_events() const;

  /// Null: there is none.
  std::unique_ptr<pipeline::Journal> open_journal() const;

  Trace* trace_of_run() { return !options_.trace.empty() && !has_taken_ ? &trace_ : nullptr; }

  /// Adds a run through the pipeline.
  void add_run(RunReport& report, const std::string& work, const StreamReport& stream);

  /// Warns of events that failed and of a run that ended early.
  ExitStatus status_of(const StreamReport& stream) const;

  static std::string label(const RunReport& report, const std::string& work);
  static std::string rate_name(const std::string& work);

  Program& program_;
  const PipelineRunOptions& options_;
  StepSelection selection_;
  std::size_t bad_events_ = 0;
  bool has_taken_ = false;
  FingerprintFile fingerprints_;
  mutable pipeline::StopFlag stop_;
  Trace trace_;
};

template <class Event, class Result>
class EventRuns : public EventRunsBase {
 public:
  using Calls = ChainCalls<Event, Result>;
  using Events = typename Calls::Events;
  using Found = FoundEvents<Event, Result>;

  /// The fingerprint of results, to the last bit.
  using HashOf = std::function<std::string(std::span<const Result>)>;

  /// @throws UsageError where options have no effect, InputError where the sequence file is wrong
  EventRuns(Program& program, const PipelineRunOptions& options, EventSource<Event> source,
            HashOf hash_of)
      : EventRunsBase(program, options), source_(std::move(source)), hash_of_(std::move(hash_of)) {}

  /// Writes events with their results in their order, in the first run; none where empty.
  std::function<void(const Event&, const Result&)> write{};

  /// Does the works on all events; ranks but the first one find none of them. Adds times,
  /// rates and pipelines to the report. The steps of a file take the place of those of the works. A
  /// run that a signal ends does not all of them.
  std::vector<Found> take(const Calls& chain, std::vector<ChainWork> works, RunReport& report) {
    if (!selection_.steps.empty())
      for (auto& work : works) work.selection = selection_;
    auto all = is_farmed() || options_.uses_pipeline() ? take_streamed(chain, works, report)
                                                       : take_directly(chain, works, report);
    for (auto& found : all) {
      const bool is_missing = found.events.empty() && program_.is_first_rank();
      if (is_missing && program_.status != failure) refuse_no_events();
      found.hash = hash_of_(found.results);
    }
    has_taken_ = true;
    return all;
  }

  /// Refuses the number of an event to draw where it is known before the runs that there is none.
  void check_displayed(std::optional<std::size_t> event) const {
    if (event && source_.events > 0) check_event(*event, source_.events);
  }

  /// The number of the event to draw, if there is one.
  /// @throws UsageError where there is no such event
  static std::optional<std::size_t> displayed(std::optional<std::size_t> event,
                                              const Events& events) {
    if (event) check_event(*event, events.size());
    return event;
  }

 private:
  static void check_event(std::size_t event, std::size_t events) {
    if (event >= events)
      throw UsageError("--display", fmt::format("there is no event {}", event),
                       fmt::format("{} events", events));
  }

  /// All events, of the first call.
  const Events& all_events() {
    if (!events_.empty() || has_taken_) return events_;
    auto progress = program_.progress(source_.in_memory ? "generating events" : "reading events",
                                      source_.events);
    const auto next = source_.open();
    for (;;) {
      try {
        auto event = next();
        if (!event) break;
        events_.push_back(std::move(event));
      } catch (const InputError& error) {
        if (!skip_bad_events) throw;
        ++bad_events_;
        program_.warn("skipped an event: {}", error.what());
      }
      progress.advance();
    }
    return events_;
  }

  std::vector<Found> take_directly(const Calls& chain, std::span<const ChainWork> works,
                                   RunReport& report) {
    const auto& events = all_events();
    if (events.empty()) refuse_no_events();
    std::vector<std::size_t> numbers(events.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t(0));
    std::vector<Found> all;
    for (const auto& work : works) all.push_back({work.name, events, {}, numbers, {}});
    const int repeat = program_.options.repeat;
    auto progress = program_.progress(report.name(), works.size() * std::size_t(repeat + 1));
    std::vector<int> repetitions_left(works.size(), repeat);  // after the warm-up
    const auto take = [&](std::size_t work, std::vector<Result>&& results) {
      auto& found = all[work];
      auto now = hash_of_(results);
      if (!found.hash.empty() && now != found.hash)
        throw Error(report.name(), "two repetitions gave different results");
      found.hash = std::move(now);
      if (repetitions_left[work]-- == 0) found.results = std::move(results);  // else twice as many
      progress.advance();
    };
    if (!options_.fingerprints.empty()) take_fingerprints(chain, works, events, report.run);
    const auto times =
        chain.time(events, works, std::size_t(options_.batch(chain.run, 0)), repeat, take);
    for (std::size_t i = 0; i < works.size(); ++i) {
      report.time_us.insert(report.time_us.end(), times[i].begin(), times[i].end());
      if (const auto* total = report.time("total"))
        report.rate[rate_name(works[i].name)] = 1e6 / total->median;
    }
    if (write && !has_taken_)
      for (std::size_t i = 0; i < events.size(); ++i) write(*events[i], all.front().results[i]);
    return all;
  }

  /// Does the works once more, step by step: before the others, whose results may differ.
  void take_fingerprints(const Calls& chain, std::span<const ChainWork> works, const Events& events,
                         const RunDescription& run) {
    for (const auto& work : works) {
      fingerprints_.begin_run(run, work.name);
      const auto observed = chain.make();
      detail::select_steps(*observed, work.selection, chain.listing.default_steps.back());
      observed->observe([this](const chain::StepArrays& step) { fingerprints_.add(step); });
      const auto batch = std::size_t(options_.fingerprint_batch());
      for (std::size_t first = 0; first < events.size(); first += batch) {
        const std::size_t n = std::min(batch, events.size() - first);
        fingerprints_.begin_batch(n);
        observed->stage(std::span(events).subspan(first, n));
        observed->run();
        std::vector<Result> results;
        observed->collect(results);
        std::vector<std::string> hashes;
        for (const auto& result : results) hashes.push_back(hash_of_({&result, 1}));
        fingerprints_.add_results(hashes);
      }
    }
  }

  /// Through pipelines, of this process or of a farm.
  std::vector<Found> take_streamed(const Calls& chain, std::span<const ChainWork> works,
                                   RunReport& report) {
    const bool in_farm = is_farmed();
    refuse_if(in_farm && !options_.journal.empty() && works.size() > 1, "--journal",
              "is for one way to reconstruct events");
    if (source_.in_memory && events_.empty()) all_events();
    std::vector<Found> all;
    for (const auto& work : works) {
      if (!all.empty() && stop_.stop_requested()) break;
      auto outcome = outcome_of(chain, work, in_farm, label(report, work.name));
      if (outcome.stopped) stop_.request_stop();
      if (trace_of_run() != nullptr)
        io::write_chrome_trace(options_.trace, trace_, program_.name());
      if (program_.is_first_rank()) add_run(report, work.name, outcome);
      if (outcome.stopped) program_.stop();
      outcome.work = work.name;
      all.push_back(std::move(outcome));
      has_taken_ = true;
    }
    return all;
  }

  StreamOutcome<Event, Result> outcome_of(const Calls& chain, const ChainWork& work, bool in_farm,
                                          const std::string& label) {
    auto progress = program_.progress(
        label, std::max(source_.events, events_.size()) * std::size_t(program_.options.repeat));
    const auto stream = stream_of(progress);
    const int slots = options_.slots_of_farm(chain.run), batch = options_.batch(chain.run, slots);
    Trace* trace = trace_of_run();  // of the first pass
    const auto run = [&](const auto& read, const auto& to, const auto& fail) {
      return run_pipeline(chain, slots, batch, work.selection, std::exchange(trace, nullptr), read,
                          to, fail);
    };
    const pipeline::StopOnSignal on_signal(stop_);
    if (!in_farm) return take_stream(stream, run);
    const auto journal = open_journal();
    FarmedEvents<Event, Result> farm(
        program_.ranks(),
        [this](const auto& farm, const auto& write) { return program_.make_farm(farm, write); },
        stream, source_, journal.get(), std::size_t(batch), std::size_t(slots), stop_);
    return farm.take(run);
  }

  /// To the last bit. Bytes are the quicker way, but those of padding may differ.
  bool are_same(const Result& first, const Result& second) const {
    return same_bytes(first, second) || hash_of_({&first, 1}) == hash_of_({&second, 1});
  }

  /// The events and what is done with them. Ranks but the first one read only those that they work
  /// on.
  EventStream<Event, Result> stream_of(ProgressBar& progress) {
    EventStream<Event, Result> stream;
    stream.passes = program_.options.repeat;
    if (source_.in_memory) {
      stream.read = [this, i = std::size_t(0)]() mutable {
        return i == events_.size() ? nullptr : events_[i++];
      };
    } else if (program_.is_first_rank()) {
      stream.read = source_.open();
    }
    stream.same = [this](const Result& a, const Result& b) { return are_same(a, b); };
    stream.after_event = [&] { progress.advance(); };
    if (!has_taken_) stream.write = write;
    return stream;
  }

  template <class Read, class Write, class Fail>
  pipeline::Statistics run_pipeline(const Calls& chain, int slots, int batch,
                                    const StepSelection& selection, Trace* trace, const Read& read,
                                    const Write& to, const Fail& fail) const {
    pipeline::PipelineOptions options;
    options.slots = slots;
    options.events_per_batch = batch;
    options.stop = &stop_;
    options.trace = trace;
    const auto prepare = [&](typename Calls::Chain& of_slot, int slot) {
      detail::select_steps(of_slot, selection, chain.listing.default_steps.back());
      if (trace == nullptr) return;
      of_slot.trace(*trace, trace->add_lane("steps of slot " + std::to_string(slot)));
      of_slot.time_each_step();  // else spans on devices were those of launching
    };
    return chain.run_pipeline(options, options_.memory_per_slot(), prepare, read, to, fail);
  }

  EventSource<Event> source_;
  HashOf hash_of_;
  Events events_;  ///< in memory
};

/// Prints what is compiled for the first run; `listing(run)` is that of its chain.
template <std::floating_point... Reals, class Listing>
void list_algorithms(Program& program, const Listing& listing) {
  dispatch<Reals...>(program.options, [&](const auto& run) {
    if (program.text.empty()) program.text = listing_text(listing(run));
  });
}

}  // namespace trackplex::program
