// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runs.hpp"

#include <trackplex/program/pipeline_runs.hpp>
#include <trackplex/program/progress.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace cylinder_tracker {

namespace program = trackplex::program;
using trackplex::seeding::TrackingEvents;

namespace {

using Stream = program::EventStream<TrackingEvents, CylinderResult>;

std::string label_of(const program::RunDescription& run) {
  return fmt::format("{}, {} lanes", run.backend, run.lanes);
}

template <class Run>
auto processors_of(const Run& run, const TrackingSettings& settings, const std::string& strategy) {
  return [&run, &settings, strategy](const program::ProcessorSettings& of_slots) {
    return processors(run, settings, strategy, of_slots);
  };
}

template <class Real>
std::uint64_t fingerprint(const CylinderResult& result) {
  TrackList seeds, tracks;
  append_seeds<Real>(0, result, seeds);
  append_tracks<Real>(0, result, tracks);
  return trackplex::Fingerprint()
      .add(seeds.fingerprint)
      .add(tracks.fingerprint)
      .add(result.lost_seeds)
      .value();
}

/// The events one at a time; they are cut out of the whole by the reader's thread.
auto reader_of(const TrackingEvents& events) {
  return [&events, i = 0]() mutable -> std::shared_ptr<const TrackingEvents> {
    if (i == events.events()) return nullptr;
    return std::make_shared<TrackingEvents>(events.part(i++, 1));
  };
}

/// One strategy, whose tracks are added to the outcome; with the first one also its seeds.
template <class Run>
void run_strategy(const Run& run, const ProgramOptions& options, const TrackingEvents& events,
                  const TrackingSettings& settings, const std::string& strategy,
                  program::PipelineRuns& runs, Outcome& outcome) {
  using Real = typename Run::Real;
  const int passes = options.common.repeat;
  program::ProgressBar progress(label_of(outcome.run) + ", " + strategy,
                                std::size_t(events.events()) * std::size_t(passes), options.common);
  Stream stream;
  stream.read = reader_of(events);
  stream.passes = passes;
  stream.same = [](const CylinderResult& a, const CylinderResult& b) {
    return fingerprint<Real>(a) == fingerprint<Real>(b);
  };
  stream.after_event = [&] { progress.advance(); };
  auto found = runs.run(run.exec, processors_of(run, settings, strategy), stream);
  const bool is_first = outcome.pipeline.empty();
  for (std::size_t i = 0; i < found.results.size(); ++i)
    outcome.found.append<Real>(int(found.numbers[i]), strategy, is_first, found.results[i]);
  outcome.pipeline.push_back({strategy, std::move(found.statistics), std::move(found.failures)});
}

/// What a sequence file says in place of options.
void take_over(const std::vector<std::string>& steps, TrackingSettings& settings) {
  const auto has = [&](const std::string& step) { return std::ranges::count(steps, step) > 0; };
  settings.use_triplets = has("find_triplets");
  settings.clean = has("remove_shared_hits");
  std::erase_if(settings.strategies, [&](const auto& strategy) { return !has(strategy); });
  if (settings.strategies.empty())
    for (const auto& entry : strategy_names)
      if (has(entry.key)) settings.strategies.emplace_back(entry.key);
  if (settings.strategies.empty())
    throw trackplex::UsageError("--sequence", "no step builds tracks", "",
                                "take clone_engine, standard or best_hit");
}

void run_directly(const ProgramOptions& options, const TrackingEvents& events,
                  TrackingSettings settings, Runs& runs) {
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    const auto description = run.description();
    program::ProgressBar progress(label_of(description), std::size_t(options.common.repeat) + 1,
                                  options.common);
    settings.after_repetition = [&] { progress.advance(); };
    runs.outcomes.push_back({description, track_events(run, events, settings), {}});
  });
}

void run_pipelined(const ProgramOptions& options, const TrackingEvents& events,
                   const TrackingSettings& settings, program::PipelineRuns& pipeline_runs,
                   Runs& runs) {
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (pipeline_runs.stopped()) return;
    Outcome outcome{run.description(), {}, {}};
    for (const auto& strategy : settings.strategies) {
      if (pipeline_runs.stopped()) break;
      run_strategy(run, options, events, settings, strategy, pipeline_runs, outcome);
      const auto& last = outcome.pipeline.back();
      const auto status = pipeline_runs.warn(last.statistics, last.failures);
      if (status != program::success) runs.status = status;
    }
    runs.outcomes.push_back(std::move(outcome));
  });
}

/// The scan of the last strategy on the first backend.
void run_scan(const ProgramOptions& options, const TrackingEvents& events,
              const TrackingSettings& settings, program::PipelineRuns& pipeline_runs, Runs& runs) {
  std::vector<std::shared_ptr<const TrackingEvents>> parts;
  auto next = reader_of(events);
  while (auto event = next()) parts.push_back(std::move(event));
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (runs.scan) return;
    runs.scan = pipeline_runs.scan<typename std::decay_t<decltype(run)>::ExecutionSpace,
                                   TrackingEvents, CylinderResult>(
        run.exec, processors_of(run, settings, settings.strategies.back()), parts);
  });
}

}  // namespace

Runs run_all(const ProgramOptions& options, const TrackingEvents& events,
             TrackingSettings& settings) {
  Runs runs;
  program::PipelineRuns pipeline_runs("cylinder_tracker", options.pipeline, options.common);
  if (!options.pipeline.sequence.empty()) take_over(pipeline_runs.steps(), settings);
  if (options.pipeline.uses_pipeline()) {
    run_pipelined(options, events, settings, pipeline_runs, runs);
  } else {
    run_directly(options, events, settings, runs);
  }
  if (options.pipeline.scans_pipeline() && !pipeline_runs.stopped())
    run_scan(options, events, settings, pipeline_runs, runs);
  return runs;
}

std::string list_algorithms(const ProgramOptions& options) {
  std::string text;
  program::dispatch<float, double>(options.common, [&](const auto& run) {
    if (text.empty()) text = program::listing_text(algorithms(run));
  });
  return text;
}

}  // namespace cylinder_tracker
