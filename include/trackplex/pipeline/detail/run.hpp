// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/cores.hpp>
#include <trackplex/core/instances.hpp>
#include <trackplex/pipeline/detail/read_and_write.hpp>
#include <trackplex/pipeline/detail/slot_worker.hpp>
#include <trackplex/pipeline/stop_flag.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::pipeline::detail {

/// The processor itself, or the one to which an owning pointer points.
template <class Owner>
auto& processor_of(Owner& owner) {
  if constexpr (requires { *owner; })
    return *owner;
  else
    return owner;
}

/// A slot: a processor, and the worker that runs batches through it.
template <class Event, class Result, class ExecutionSpace, class Owner>
struct Slot {
  using Processor = std::remove_reference_t<decltype(processor_of(std::declval<Owner&>()))>;

  template <class MakeProcessor>
  Slot(const ExecutionSpace& exec, MakeProcessor& make_processor, int slot, Launch launch,
       const Lane& lane_of_slot, RunState<Event, Result>& state)
      : lane(lane_of_slot),
        owner(make_processor(exec, slot)),
        worker(exec, processor_of(owner), std::move(launch), lane, state.options.events_per_batch,
               state.flow.abort_flag()) {}

  void work(Flow<Event, Result>& flow) {
    for (;;) {
      const double begin_us = lane.now_us();
      auto* const batch = flow.take();
      if (batch == nullptr) return;
      lane.record_wait(begin_us);
      worker.work(*batch);
      if (flow.aborted()) return;  // the batch may be incomplete
      flow.complete(batch);
    }
  }

  /// Statistics of a run of this duration (s).
  SlotStatistics statistics(double seconds) const {
    SlotStatistics all = worker.statistics();
    all.idle = std::max(seconds - all.stage - all.run - all.collect - all.waiting_to_run, 0.);
    const auto& processor = processor_of(owner);
    if constexpr (requires { all.report = processor.report(); }) all.report = processor.report();
    return all;
  }

  const Lane lane;
  Owner owner;
  SlotWorker<Event, Result, ExecutionSpace, Processor> worker;
};

/// Checked options with a number of slots.
template <class ExecutionSpace>
PipelineOptions with_slots(PipelineOptions options, const ExecutionSpace& exec) {
  options.check();
  if (options.slots == 0) options.slots = is_host_space<ExecutionSpace> ? concurrency_of(exec) : 2;
  return options;
}

/// One run, on the thread that calls it.
template <class Event, class Result, class ExecutionSpace, class Processor>
class Run {
 public:
  using State = RunState<Event, Result>;

  explicit Run(std::shared_ptr<State> state) : state_(std::move(state)) {}

  template <class MakeProcessor>
  void make_slots(const ExecutionSpace& exec, MakeProcessor& make_processor) {
    const PipelineOptions& options = state_->options;
    state_->reader_lane = add_lane(options.trace, "reader");
    if constexpr (is_host_space<ExecutionSpace>) cores_ = trackplex::Cores(exec);
    const auto shares = concurrent_instances(exec, options.slots);
    one_launcher_ = !shares.any_thread;
    turns_ = std::vector<std::mutex>(shares.instances.size());
    for (int i = 0; i < options.slots; ++i) {
      const std::size_t share = std::size_t(i) % shares.instances.size();
      slots_.emplace_back(shares.instances[share], make_processor, i, launch(share),
                          add_lane(options.trace, "slot " + std::to_string(i)), *state_);
    }
    state_->writer_lane = add_lane(options.trace, "writer");
  }

  Statistics run() {
    const auto begin = Clock::now();
    start_threads();
    while (!state_->launching_thread.serve(supervision_interval())) supervise();
    join();
    return statistics(seconds_between(begin, Clock::now()));
  }

  /// Ends early if not all threads could be started.
  ~Run() {
    if (!joinable()) return;
    state_->give_up();
    state_->launching_thread.serve(std::nullopt);
    join();
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

 private:
  Launch launch(std::size_t share) {
    if (one_launcher_) {
      return [this](const std::function<void()>& work) { state_->launching_thread.run(work); };
    }
    return [this, share](const std::function<void()>& work) {
      const std::lock_guard turn(turns_[share]);
      work();
    };
  }

  void start_threads() {
    for (auto& slot : slots_) {
      slot_threads_.push_back(start([&slot](State& state) {
        slot.work(state.flow);
        return true;
      }));
    }
    writer_ = start([](State& state) { return Writing(state).write_all(); });
    reader_ = start([](State& state) { return Reading(state).read_all(); });
  }

  /// The body returns whether anyone still waits for its thread.
  template <class Body>
  std::thread start(const Body& body) {
    state_->launching_thread.thread_begins();
    try {
      return std::thread([state = state_, body, cores = cores_] {
        cores.use();
        bool missed = true;
        try {
          missed = body(*state);
        } catch (...) {
          state->give_up(std::current_exception());
        }
        if (missed) state->launching_thread.thread_ended();
      });
    } catch (...) {
      state_->launching_thread.thread_ended();
      throw;
    }
  }

  bool joinable() const {
    return reader_.joinable() || writer_.joinable() ||
           std::any_of(slot_threads_.begin(), slot_threads_.end(),
                       [](const std::thread& thread) { return thread.joinable(); });
  }
  void join() {
    for (std::thread& thread : slot_threads_)
      if (thread.joinable()) thread.join();
    for (std::thread* const thread : {&reader_, &writer_})
      if (thread->joinable()) thread->join();
  }

  /// Interval of supervise(); none if there is nothing to supervise.
  std::optional<Clock::duration> supervision_interval() const {
    constexpr Clock::duration usual = std::chrono::milliseconds(20);
    const PipelineOptions& options = state_->options;
    if (stall_limit_.count() > 0)
      return std::clamp<Clock::duration>(stall_limit_ / 4, std::chrono::milliseconds(1), usual);
    return options.stop != nullptr ? std::optional(usual) : std::nullopt;
  }

  void supervise() {
    State& state = *state_;
    const StopFlag* const stop = state.options.stop;
    if (stop != nullptr && stop->stop_requested() && !state.flow.input_ended()) {
      state.end(Ending::stop_requested);
      state.stop_reader.request_stop();
    }
    if (stall_limit_.count() == 0) return;
    const auto now = Clock::now();
    const auto reading = state.reader_watch.look(now), writing = state.writer_watch.look(now);
    if (reading > stall_limit_) {
      state.end(Ending::reader_stalled, stall_message("reader"));
      state.stop_reader.request_stop();
      if (reading > 2 * stall_limit_ && abandon(state.reader_watch, reader_))
        state.flow.end_input();
    }
    if (writing > stall_limit_) {
      state.end(Ending::writer_stalled, stall_message("writer"));
      state.give_up();
      if (writing > 2 * stall_limit_) abandon(state.writer_watch, writer_);
    }
  }

  /// Detaches a thread that hangs in a user function, unless it has just returned.
  bool abandon(CallWatch& watch, std::thread& thread) {
    if (!watch.abandon()) return false;
    thread.detach();
    state_->launching_thread.thread_ended();
    return true;
  }

  std::string stall_message(const char* who) const {
    return std::string("the ") + who + " worked on one event for longer than " +
           std::to_string(state_->options.stall_limit.count()) + " ms";
  }

  Statistics statistics(double seconds) const {
    Statistics all;
    state_->fill_in(all);
    state_->flow.fill_in(all);
    all.events_written = state_->written;
    all.events_failed = state_->failed;
    all.events_not_processed = all.events_read - all.events_written - all.events_failed;
    all.seconds = seconds;
    all.reader = state_->flow.reader_time().split(seconds);
    all.writer = state_->flow.writer_time().split(seconds);
    const double launching = state_->launching_thread.busy();
    all.launcher = {launching, std::max(seconds - launching, 0.)};
    all.one_launcher = one_launcher_;
    for (const auto& slot : slots_) {
      all.slots.push_back(slot.statistics(seconds));
      all.batches_made_smaller += slot.worker.batches_made_smaller();
    }
    return all;
  }

  const std::shared_ptr<State> state_;
  const Clock::duration stall_limit_ =
      std::min<Clock::duration>(state_->options.stall_limit, std::chrono::hours(24 * 365));
  trackplex::Cores cores_;  ///< of the host backend; those of the caller for a device
  bool one_launcher_ = false;
  std::vector<std::mutex> turns_;  ///< of slots that share an instance
  std::list<Slot<Event, Result, ExecutionSpace, Processor>> slots_;
  std::vector<std::thread> slot_threads_;
  std::thread writer_, reader_;
};

}  // namespace trackplex::pipeline::detail
