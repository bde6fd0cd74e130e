// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runs.hpp"

#include "output.hpp"

#include <trackplex/program/pipeline_runs.hpp>
#include <trackplex/program/progress.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <memory>
#include <utility>

namespace lhcb_velo_ut {

namespace lhcb = trackplex::lhcb;
namespace program = trackplex::program;
using lhcb::RawEvent;

namespace {

using Events = std::vector<std::shared_ptr<const RawEvent>>;
using Stream = program::EventStream<RawEvent, EventResult>;

std::string label_of(const program::RunDescription& run) {
  return fmt::format("{}, {} lanes", run.backend, run.lanes);
}

template <class Run>
auto processors_of(const Run& run, const lhcb::Detector& detector, const ProgramOptions& options) {
  return [&](const program::ProcessorSettings& settings) {
    return processors(run, detector, options.tracking(), settings);
  };
}

void run_directly(const ProgramOptions& options, Runs& runs) {
  runs.input = read_input(options);
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    const auto description = run.description();
    program::ProgressBar progress(label_of(description), std::size_t(options.common.repeat) + 1,
                                  options.common);
    const ReconstructionSettings settings{.parameters = options.tracking(),
                                          .batch = std::size_t(options.pipeline.batch()),
                                          .repeat = options.common.repeat,
                                          .after_repetition = [&] { progress.advance(); }};
    runs.outcomes.push_back({description,
                             reconstruct(run, runs.input.detector, runs.input.events, settings),
                             std::nullopt});
  });
}

/// Generated events are there before the pipeline begins.
EventSource::Next generated_before(const ProgramOptions& options, const EventSource& source) {
  program::ProgressBar progress("generating events", source.events, options.common);
  const auto events = std::make_shared<std::vector<InputEvent>>();
  const auto next = source.open();
  while (auto event = next()) {
    events->push_back(std::move(*event));
    progress.advance();
  }
  return [events, i = std::size_t(0)]() mutable -> std::optional<InputEvent> {
    if (i == events->size()) return {};
    return std::move((*events)[i++]);
  };
}

/// What the options want to have written of each event.
class Files {
 public:
  void open(const ProgramOptions& options) {
    if (!options.tracks.empty())
      files_.emplace_back(options, options.tracks, ResultFile::Contents::tracks);
    if (!options.details.empty())
      files_.emplace_back(options, options.details, ResultFile::Contents::details);
  }
  void add(const RawEvent& event, const EventResult& found) {
    for (auto& file : files_) file.add(event, found);
  }
  void finish() {
    for (auto& file : files_) file.finish();
  }

 private:
  std::list<ResultFile> files_;
};

/// One run, of which the events that it has finished become the input if it is the first one.
template <class Run>
Outcome run_in_pipeline(const Run& run, const ProgramOptions& options, const EventSource& source,
                        program::PipelineRuns& pipeline, Input* input) {
  const auto description = run.description();
  const int passes = options.common.repeat;
  std::vector<std::optional<lhcb::McEvent>> truth;  // of each event that was read
  const auto next = options.generate > 0 ? generated_before(options, source) : source.open();
  Files files;
  if (input != nullptr) files.open(options);
  program::ProgressBar progress(label_of(description), source.events * std::size_t(passes),
                                options.common);
  Stream stream;
  stream.passes = passes;
  stream.read = [&]() -> std::shared_ptr<const RawEvent> {
    auto event = next();
    if (!event) return nullptr;
    truth.push_back(std::move(event->truth));
    return std::make_shared<RawEvent>(std::move(event->raw));
  };
  stream.write = [&](const RawEvent& event, const EventResult& found) { files.add(event, found); };
  stream.same = [](const EventResult& a, const EventResult& b) {
    return hash_of({&a, 1}) == hash_of({&b, 1});
  };
  stream.after_event = [&] { progress.advance(); };
  auto found = pipeline.run(run.exec, processors_of(run, source.detector, options), stream);
  files.finish();

  if (input != nullptr) {
    for (const auto& event : found.events) input->events.push_back(*event);
    for (const auto number : found.numbers) input->truth.push_back(std::move(truth[number]));
    input->bad_events = std::size_t(
        std::ranges::count(found.failures, "read", &trackplex::pipeline::Failure::stage));
  }
  Outcome outcome{description, {std::move(found.results), {}, {}}, PipelineRun{}};
  outcome.found.hash = hash_of(outcome.found.events);
  outcome.pipeline = {std::move(found.statistics), std::move(found.failures)};
  return outcome;
}

/// Damaged events are no failure where the options allow them.
program::ExitStatus status_of(const ProgramOptions& options, const program::PipelineRuns& pipeline,
                              const PipelineRun& run) {
  const auto status = pipeline.warn(run.statistics, run.failures);
  const bool only_bad_events = status == program::bad_input &&
                               run.statistics.ending == trackplex::pipeline::Ending::end_of_input;
  return options.skip_bad_events && only_bad_events ? program::success : status;
}

void run_pipelined(const ProgramOptions& options, program::PipelineRuns& pipeline, Runs& runs) {
  auto source = event_source(options);
  runs.input.detector = source.detector;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (pipeline.stopped()) return;
    const bool is_first = runs.outcomes.empty();
    auto outcome =
        run_in_pipeline(run, options, source, pipeline, is_first ? &runs.input : nullptr);
    const auto status = status_of(options, pipeline, *outcome.pipeline);
    if (is_first) runs.status = status;
    runs.outcomes.push_back(std::move(outcome));
  });
  if (runs.status != program::failure) check_not_empty(options, runs.input);
}

/// The scan on the first backend.
void run_scan(const ProgramOptions& options, program::PipelineRuns& pipeline, Runs& runs) {
  const auto& input = runs.input;
  Events events;
  for (const auto& event : input.events) events.emplace_back(std::shared_ptr<void>(), &event);
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (runs.scan || events.empty()) return;
    runs.scan =
        pipeline.scan<typename std::decay_t<decltype(run)>::ExecutionSpace, RawEvent, EventResult>(
            run.exec, processors_of(run, input.detector, options), events);
  });
}

}  // namespace

double Outcome::events_per_second() const {
  return pipeline ? pipeline->statistics.events_per_second()
                  : 1e6 / found.time_us.at("total").median;
}

Runs run_all(const ProgramOptions& options) {
  Runs runs;
  program::PipelineRuns pipeline("lhcb_velo_ut", options.pipeline, options.common);
  if (options.pipeline.uses_pipeline()) {
    run_pipelined(options, pipeline, runs);
  } else {
    run_directly(options, runs);
  }
  if (options.pipeline.scans_pipeline() && !pipeline.stopped()) run_scan(options, pipeline, runs);
  return runs;
}

std::string list_algorithms(const ProgramOptions& options) {
  std::string text;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (text.empty()) text = program::listing_text(algorithms(run));
  });
  return text;
}

}  // namespace lhcb_velo_ut
