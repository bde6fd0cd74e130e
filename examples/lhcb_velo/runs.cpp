// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runs.hpp"

#include "input.hpp"
#include "same_bits.hpp"

#include <trackplex/program/file_metadata.hpp>
#include <trackplex/program/pipeline_runs.hpp>
#include <trackplex/program/progress.hpp>

#include <fmt/format.h>

#include <utility>

namespace lhcb_velo {

namespace program = trackplex::program;
using trackplex::lhcb::VeloEvent;
using trackplex::lhcb::VeloResult;

namespace {

using Outcomes = std::vector<Outcome>;
using Events = std::vector<std::shared_ptr<const VeloEvent>>;
using Stream = program::EventStream<VeloEvent, VeloResult>;

std::string label_of(const program::RunDescription& run) {
  return fmt::format("{}, {} lanes", run.backend, run.lanes);
}

template <class Run>
auto processors_of(const Run& run, const ProgramOptions& options) {
  return [&run, &options](const program::ProcessorSettings& settings) {
    return processors(run, options.parameters(), settings);
  };
}

void run_directly(const ProgramOptions& options, Runs& runs) {
  runs.events = input_events(options);
  std::vector<const VeloEvent*> events;
  for (const auto& event : runs.events) events.push_back(&event);
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    const auto description = run.description();
    program::ProgressBar progress(label_of(description), std::size_t(options.common.repeat) + 1,
                                  options.common);
    const ReconstructionSettings settings{.parameters = options.parameters(),
                                          .batch = std::size_t(options.pipeline.batch()),
                                          .repeat = options.common.repeat,
                                          .after_repetition = [&] { progress.advance(); }};
    runs.outcomes.push_back(
        {description, events, reconstruct(run, runs.events, settings), std::nullopt});
  });
}

Outcome outcome_of(program::RunDescription description,
                   program::StreamOutcome<VeloEvent, VeloResult> stream) {
  Outcome outcome{std::move(description), {}, {}, PipelineRun{}};
  for (const auto& event : stream.events) outcome.events.push_back(event.get());
  outcome.found.events = std::move(stream.results);
  outcome.pipeline = {std::move(stream.statistics), std::move(stream.failures),
                      std::move(stream.events)};
  return outcome;
}

/// Takes the events through the pipeline; writes tracks where there is a file for them.
template <class Run>
Outcome run_in_pipeline(const Run& run, const ProgramOptions& options, const EventSource& source,
                        program::PipelineRuns& pipeline, trackplex::io::VeloTrackFile* file) {
  const auto description = run.description();
  const int passes = options.common.repeat;
  program::ProgressBar progress(label_of(description), source.events * std::size_t(passes),
                                options.common);
  Stream stream{.read = source.open(), .passes = passes};
  stream.same = [](const VeloResult& a, const VeloResult& b) {
    return same_bits({&a, 1}, {&b, 1});
  };
  stream.after_event = [&] { progress.advance(); };
  if (file != nullptr)
    stream.write = [&](const VeloEvent& event, const VeloResult& result) {
      file->add(event.name, result.tracks);
    };
  return outcome_of(description, pipeline.run(run.exec, processors_of(run, options), stream));
}

void run_pipelined(const ProgramOptions& options, program::PipelineRuns& pipeline, Runs& runs) {
  const auto source = event_source(options);
  std::optional<trackplex::io::VeloTrackFile> file;
  if (!options.tracks.empty()) file.emplace(track_file(options));
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (pipeline.stopped()) return;
    const bool is_first = runs.outcomes.empty();
    auto outcome =
        run_in_pipeline(run, options, source, pipeline, is_first && file ? &*file : nullptr);
    const auto status = pipeline.warn(outcome.pipeline->statistics, outcome.pipeline->failures);
    if (is_first) runs.status = status;
    runs.outcomes.push_back(std::move(outcome));
  });
  if (file) file->finish();
}

/// The scan on the first backend, with the events that it has finished.
void run_scan(const ProgramOptions& options, program::PipelineRuns& pipeline, Runs& runs) {
  const auto& first = runs.outcomes.front();
  Events events;
  for (const auto* event : first.events) events.emplace_back(std::shared_ptr<void>(), event);
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (runs.scan || events.empty()) return;
    runs.scan =
        pipeline.scan<typename std::decay_t<decltype(run)>::ExecutionSpace, VeloEvent, VeloResult>(
            run.exec, processors_of(run, options), events);
  });
}

}  // namespace

double Outcome::events_per_second() const {
  return pipeline ? pipeline->statistics.events_per_second()
                  : 1e6 / found.time_us.at("total").median;
}

Runs run_all(const ProgramOptions& options) {
  Runs runs;
  program::PipelineRuns pipeline("lhcb_velo", options.pipeline, options.common);
  if (options.pipeline.uses_pipeline()) {
    run_pipelined(options, pipeline, runs);
  } else {
    run_directly(options, runs);
  }
  if (options.pipeline.scans_pipeline() && !pipeline.stopped()) run_scan(options, pipeline, runs);
  return runs;
}

trackplex::io::VeloTrackFile track_file(const ProgramOptions& options) {
  auto input = input_description(options, 0);
  input.erase("events");  // how many there are is not known before the run
  return trackplex::io::VeloTrackFile(options.tracks,
                                      program::file_metadata("lhcb_velo", options.common, input),
                                      trackplex::io::real_type(options.common.precision));
}

std::string list_algorithms(const ProgramOptions& options) {
  std::string text;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (text.empty()) text = program::listing_text(algorithms(run));
  });
  return text;
}

}  // namespace lhcb_velo
