// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/run.hpp>
#include <trackplex/pipeline/detail/shared_function.hpp>

#include <concepts>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// Many events in flight: while the kernels of some batches of events run, others are read, staged,
/// collected and written.

namespace trackplex::pipeline {

/// The work of a slot on events. There is one object per slot, which works on one batch after the
/// other; the result of an event must not depend on the events around it.
///
/// `stage` and `collect` are called by the slot's thread: they read and write memory, but launch
/// nothing and make no initialized Views. `run` enqueues on the instance and waits for it; it is
/// called where kernels may be launched. Each of them may throw, in the middle of its work, too:
/// the next `stage` starts anew. `collect` appends one result per event, in the order of events.
///
/// An optional `chain::Report report() const` adds times and memory to the statistics.
template <class P, class Event, class Result>
concept Processor = requires(P& processor, std::span<const Event> events,
                             std::vector<Result>& results) {
  processor.stage(events);
  processor.run();
  processor.collect(results);
};

/// Takes all events from a reader through the slots to a writer.
///
/// @param exec            the slots share out what it has (see concurrent_instances)
/// @param make_processor  `(const ExecutionSpace& instance, int slot)` gives a Processor (a chain,
///                        for example), or a pointer that owns one; called, and its processors
///                        destroyed, on this thread
/// @param reader  `(std::stop_token) -> std::optional<Event>`: nothing at the end. If it throws, an
///                event counts as failed and the next one is asked for. One that waits for input
///                should return nothing once a stop is requested.
/// @param writer  `(std::size_t event, Result&&)`, or with a std::stop_token as third argument;
///                events in the order of input. If it throws, the event counts as failed.
/// @param on_failure  `(const Failure&)`, in its place between the calls of the writer
///
/// Reader, writer and on_failure are copied or moved to where they live as long as the threads that
/// use them: one thread calls the reader, another one the writer and on_failure. With a stall
/// limit, a thread that is stuck in one of them may outlive the run: they should then own what they
/// use. Without one it is waited for, also after a stop.
///
/// If stage, run or collect throw, the batch is halved until the events that fail alone are known;
/// these fail, all others get their results. For a CapacityError (ArenaError) or std::bad_alloc,
/// fewer events at a time are taken for a while. At most `slots + 4` batches are in flight.
///
/// @returns the statistics; look at `broken()`: a reader or writer that fails for good or stalls
///          ends the run early. What was read before is written unless it is the writer that ends
///          the run.
/// @throws UsageError for options out of range; what make_processor throws
template <std::movable Event, std::movable Result, class ExecutionSpace, class MakeProcessor,
          class Reader, class Writer, class OnFailure>
[[nodiscard]] Statistics run_pipeline(const ExecutionSpace& exec, const PipelineOptions& options,
                                      MakeProcessor&& make_processor, Reader&& reader,
                                      Writer&& writer, OnFailure&& on_failure) {
  using SlotProcessor = std::invoke_result_t<MakeProcessor&, const ExecutionSpace&, int>;
  static_assert(
      Processor<
          std::remove_reference_t<decltype(detail::processor_of(std::declval<SlotProcessor&>()))>,
          Event, Result>,
      "make_processor must return an object with stage(std::span<const Event>), run() "
      "and collect(std::vector<Result>&).");
  options.check();
  const auto state = std::make_shared<detail::RunState<Event, Result>>(options);
  state->reader = detail::shared_function(std::forward<Reader>(reader));
  state->writer = detail::shared_writer<Result>(std::forward<Writer>(writer));
  state->on_failure = detail::shared_function(std::forward<OnFailure>(on_failure));
  detail::Run<Event, Result, ExecutionSpace, SlotProcessor> run(state);
  run.make_slots(exec, make_processor);
  return run.run();
}

}  // namespace trackplex::pipeline
