// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/pipeline/stop_flag.hpp>
#include <trackplex/program/chrome_trace.hpp>
#include <trackplex/program/event_pipeline.hpp>
#include <trackplex/program/main.hpp>
#include <trackplex/program/pipeline_options.hpp>
#include <trackplex/program/pipeline_report.hpp>
#include <trackplex/program/progress.hpp>
#include <trackplex/program/scan_picture.hpp>
#include <trackplex/program/sequence_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// @file
/// The runs of a program through the pipeline, as its options say: one for each backend and lane
/// width, and the scan. SIGINT and SIGTERM end a run with the events that it has read.

namespace trackplex::program {

class PipelineRuns {
 public:
  /// Reads the sequence file, if there is one.
  /// @throws UsageError where options have no effect, InputError where the file is wrong
  PipelineRuns(std::string program, const PipelineRunOptions& options, const CommonOptions& common)
      : program_(std::move(program)), options_(options), common_(common) {
    options.check();
    if (!options.sequence.empty()) steps_ = read_sequence_file(options.sequence);
  }

  /// Takes a stream of events through the pipeline. `make(ProcessorSettings)` returns the
  /// MakeProcessor of its slots. The first run is the one that is traced, with its steps, for each
  /// of which a device is then waited for.
  template <class ExecutionSpace, class Event, class Result, class Make>
  StreamOutcome<Event, Result> run(const ExecutionSpace& exec, const Make& make,
                                   const EventStream<Event, Result>& stream) {
    Trace* const trace = !options_.trace.empty() && !traced_ ? &trace_ : nullptr;
    traced_ = true;
    const pipeline::StopOnSignal on_signal(stop_);
    auto outcome = run_event_stream<ExecutionSpace, Event, Result>(
        exec, pipeline_options(options_.slots, options_.batch(), trace), make(settings(trace)),
        stream);
    if (trace != nullptr) write_trace(options_.trace, trace_, program_);
    return outcome;
  }

  /// The scan over slots and events per batch, with events that are in memory and results that are
  /// thrown away. Each run takes several batches for each slot.
  template <class ExecutionSpace, class Event, class Result, class Make>
  PipelineScan scan(const ExecutionSpace& exec, const Make& make,
                    const std::vector<std::shared_ptr<const Event>>& events) {
    const PipelineScanSettings settings{
        .slots = options_.uses_pipeline() ? options_.slots : pipeline::PipelineOptions{}.slots,
        .events_per_batch = options_.batch(),
        .max_slots = options_.max_scan_slots(),
        .max_batch = options_.max_scan_batch(),
        .repeat = common_.repeat};
    const pipeline::StopOnSignal on_signal(stop_);
    ProgressBar progress("scan", points_of_scan(settings), common_);
    return scan_pipeline(
        settings,
        [&](int slots, int batch) {
          return sample<ExecutionSpace, Event, Result>(exec, make, events, slots, batch);
        },
        [&] { progress.advance(); });
  }

  /// Those that the sequence file names; none without one.
  const std::vector<std::string>& steps() const { return steps_; }

  /// A signal has ended a run.
  bool stopped() const { return stop_.stop_requested(); }

  /// Warns of events that failed and of a run that ended early; returns the exit status that says
  /// so.
  ExitStatus warn(const pipeline::Statistics& statistics,
                  const std::vector<pipeline::Failure>& failures) const {
    if (!failures.empty())
      fmt::print(stderr, "{}: warning: {} events failed, the others went on\n{}", program_,
                 failures.size(), failures_text(failures));
    if (statistics.ending == pipeline::Ending::stop_requested)
      fmt::print(stderr, "{}: stopped by a signal after {} events\n", program_,
                 statistics.events_written);
    if (statistics.broken())
      fmt::print(stderr, "{}: the pipeline ended early ({}): {}\n", program_,
                 ending_name(statistics.ending), statistics.error);
    if (statistics.ending == pipeline::Ending::reader_failed) return bad_input;
    if (statistics.ending != pipeline::Ending::end_of_input) return failure;
    const auto is_of_input = [](const pipeline::Failure& f) { return f.stage == "read"; };
    if (failures.empty()) return success;
    return std::ranges::all_of(failures, is_of_input) ? bad_input : failure;
  }

 private:
  pipeline::PipelineOptions pipeline_options(int slots, int batch, Trace* trace) const {
    pipeline::PipelineOptions options;
    options.slots = slots;
    options.events_per_batch = batch;
    options.stop = &stop_;
    options.trace = trace;
    return options;
  }

  ProcessorSettings settings(Trace* trace) const {
    return {options_.memory_per_slot(), steps_, options_.sequence, trace};
  }

  template <class ExecutionSpace, class Event, class Result, class Make>
  PipelineScanSample sample(const ExecutionSpace& exec, const Make& make,
                            const std::vector<std::shared_ptr<const Event>>& events, int slots,
                            int batch) const {
    // The pipeline has at most so many events in flight, before and after those that are timed.
    const std::size_t in_flight = std::size_t(slots + 4) * std::size_t(batch);
    const std::size_t whole = (events.size() + std::size_t(batch) - 1) / std::size_t(batch);
    const std::size_t timed = std::size_t(batch) * std::max(std::size_t(4 * slots), whole);
    const std::size_t n = in_flight + timed + in_flight;
    EventStream<Event, Result> stream;
    stream.read = [&, i = std::size_t(0)]() mutable {
      return i == n ? nullptr : events[i++ % events.size()];
    };
    stream.warm_up = in_flight;
    stream.measured_until = in_flight + timed;
    stream.keep = false;
    const auto outcome = run_event_stream<ExecutionSpace, Event, Result>(
        exec, pipeline_options(slots, batch, nullptr), make(settings(nullptr)), stream);
    return {outcome.events_per_second(), outcome.statistics};
  }

  std::string program_;
  const PipelineRunOptions& options_;
  const CommonOptions& common_;
  std::vector<std::string> steps_;
  pipeline::StopFlag stop_;
  Trace trace_;
  bool traced_ = false;
};

}  // namespace trackplex::program
