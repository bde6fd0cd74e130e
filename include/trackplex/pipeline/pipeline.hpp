// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/detail/run.hpp>
#include <trackplex/pipeline/shared_function.hpp>

#include <concepts>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// @file
/// Pipeline with many events in flight: while the kernels of some batches of events run, others are
/// read, staged, collected and written.

namespace trackplex::pipeline {

/// Requirements on the object that processes the batches of a slot, such as a chain::Chain. There
/// is one object per slot; the result of an event must not depend on the other events of its batch.
///
/// `stage` and `collect` are called by the slot's thread: they read and write memory of the host,
/// but launch no kernels and create no initialized Views. `run` enqueues on the instance and waits
/// for it; it is called by a thread that may launch kernels. Each function may throw at any
/// point: the next `stage` starts afresh. `collect` appends one result per event, in the order of
/// the events.
///
/// An optional `chain::Report report() const` adds times and memory use to the statistics.
template <class P, class Event, class Result>
concept Processor = requires(P& processor, std::span<const Event> events,
                             std::vector<Result>& results) {
  processor.stage(events);
  processor.run();
  processor.collect(results);
};

/// Processes all events of a reader in slots and passes the results to a writer.
///
/// @param exec instance, divided among the slots (see concurrent_instances)
/// @param options         slots, batches and time limits
/// @param make_processor  `(const ExecutionSpace& instance, int slot)` returns a Processor, a chain
///                        for example, or a pointer that owns one; called on this thread, which
///                        also destroys the processors
/// @param reader  `(std::stop_token) -> std::optional<Event>`: nothing at the end. If it throws, an
///                event counts as failed, and it is called again. A reader that waits for input
///                should return nothing when a stop is requested.
/// @param writer  `(std::size_t event, Result&&)`, or with a std::stop_token as third argument;
///                called in the order of the input. If it throws, the event counts as failed.
/// @param on_failure  `(const Failure&)`, called in the order of the input between the calls of the
///                    writer
///
/// Reader, writer and on_failure are copied or moved into storage that lives as long as the threads
/// that use them: one thread calls the reader, another the writer and on_failure. With a stall
/// limit, a thread that hangs in such a call may outlive the run: the functions should then own
/// what they use. Without a stall limit, the run waits for such a thread, even after a stop.
///
/// If stage, run or collect throw, the batch is halved until the events that fail on their own are
/// known; these fail, all other events get their results. After a CapacityError (such as
/// ArenaError) or std::bad_alloc, the slot temporarily processes fewer events at a time. At most
/// `slots + 4` batches are in flight.
///
/// @returns the statistics; check `broken()`: a reader or writer that keeps failing or stalls ends
///          the run early. Events that were already read are written, unless the writer ends
///          the run.
/// @throws UsageError for options out of range; what make_processor throws
template <std::movable Event, std::movable Result, class ExecutionSpace, class MakeProcessor>
[[nodiscard]] Statistics run_pipeline(const ExecutionSpace& exec, const PipelineOptions& options,
                                      MakeProcessor&& make_processor, Reader<Event> reader,
                                      Writer<Result> writer, FailureHandler on_failure) {
  using SlotProcessor = std::invoke_result_t<MakeProcessor&, const ExecutionSpace&, int>;
  static_assert(
      Processor<
          std::remove_reference_t<decltype(detail::processor_of(std::declval<SlotProcessor&>()))>,
          Event, Result>,
      "make_processor must return an object with stage(std::span<const Event>), run() "
      "and collect(std::vector<Result>&).");
  const auto state = std::make_shared<detail::RunState<Event, Result>>(
      detail::with_slots(options, exec), std::move(reader), std::move(writer),
      std::move(on_failure));
  detail::Run<Event, Result, ExecutionSpace, SlotProcessor> run(state);
  run.make_slots(exec, make_processor);
  return run.run();
}

}  // namespace trackplex::pipeline
