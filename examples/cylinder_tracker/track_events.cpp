// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "tracker.hpp"

#include <trackplex/core/error.hpp>
#include <trackplex/pipeline/cylinder.hpp>

#include <memory>

namespace cylinder_tracker {

namespace {

std::vector<seeding::TrackingEvents> batches_of(const seeding::TrackingEvents& events, int batch) {
  std::vector<seeding::TrackingEvents> parts;
  for (int first = 0; first < events.events(); first += batch)
    parts.push_back(events.part(first, std::min(batch, events.events() - first)));
  return parts;
}

/// One repetition: all batches.
template <class Tracker, class Timer>
void track_all(Tracker& tracker, const std::vector<seeding::TrackingEvents>& batches,
               const TrackingSettings& settings, Timer& timer, Tracking& result) {
  result = {};
  int first_event = 0;
  for (const auto& events : batches) {
    timer.time("load", [&] { tracker.load(events); });
    timer.time("binning", [&] { tracker.bin(); });
    timer.time("seeding", [&] { tracker.find_seeds(); });
    timer.time("seed_fit", [&] { tracker.fit_seeds(); });
    tracker.append_seeds(first_event, events.events(), result.seeds);
    result.lost_seeds += tracker.lost_seeds();
    for (const auto strategy : settings.strategies) {
      timer.time(key_of(strategy), [&] { tracker.build(strategy); });
      const bool is_last = strategy == settings.strategies.back();
      const auto step = [&](const char* name) { return is_last ? name : "not reported"; };
      timer.time(step("clean"), [&] { tracker.clean(); });
      tracker.start_fit();
      timer.time(step("fit"), [&] { tracker.fit(); });
      tracker.start_fit();
      timer.time(step("smooth"), [&] { tracker.smooth(); });
      tracker.append_tracks(first_event, events.events(), result.tracks[key_of(strategy)]);
    }
    first_event += events.events();
  }
}

std::uint64_t fingerprint(const Tracking& tracking) {
  trackplex::Fingerprint hash;
  hash.add(tracking.seeds.fingerprint);
  for (const auto& [key, tracks] : tracking.tracks) hash.add(tracks.fingerprint);
  return hash.value();
}

}  // namespace

template <class Real, class ExecutionSpace>
Tracking track_events(const trackplex::program::Run<Real, ExecutionSpace>& run,
                      const seeding::TrackingEvents& events, const TrackingSettings& settings) {
  Tracking result;
  const auto batches = batches_of(events, settings.batch);
  run.with_lanes([&](auto lanes) {
    Tracker<Real, ExecutionSpace, lanes()> tracker(run.exec, settings);
    std::uint64_t first = 0;
    const auto timer = trackplex::program::measure(
        run.exec, settings.repeat,
        [&](auto& one) { track_all(tracker, batches, settings, one, result); },
        [&] {
          const auto now = fingerprint(result);
          if (first != 0 && now != first)
            throw trackplex::Error(run.description().backend,
                                   "two repetitions gave different tracks");
          first = now;
          settings.after_repetition();
        });
    std::vector<std::string> steps{"load",  "binning", "seeding", "seed_fit",
                                   "clean", "fit",     "smooth"};
    for (const auto strategy : settings.strategies) steps.push_back(key_of(strategy));
    for (const auto& step : steps)
      result.time_us[step] = timer.spread(step) / double(std::max(1, events.events()));
  });
  return result;
}

namespace {

namespace pipeline = trackplex::pipeline;
namespace program = trackplex::program;

template <class ExecutionSpace>
using Make =
    program::MakeProcessor<ExecutionSpace, seeding::TrackingEvents, pipeline::CylinderResult>;

pipeline::CylinderSettings sequence_settings(const TrackingSettings& settings) {
  pipeline::CylinderSettings result;
  result.detector = settings.detector;
  result.half_length = settings.half_length;
  result.bins = settings.bins;
  result.field = settings.field;
  result.seed_layers = seed_layers;
  result.building = settings.building;
  result.building_teams = {settings.seeds_per_team};
  result.triplets = settings.triplets;
  result.shared_hits = settings.shared_hits;
  result.all_states = true;
  return result;
}

template <class Chain, class ExecutionSpace>
Make<ExecutionSpace> processors_with(const pipeline::CylinderSettings& settings,
                                     const program::ProcessorSettings& of_slots) {
  return [=](const ExecutionSpace& instance, int slot) {
    using Processor =
        program::ChainProcessor<seeding::TrackingEvents, pipeline::CylinderResult, Chain>;
    return std::make_unique<Processor>(of_slots, slot,
                                       [&] { return Chain(instance, of_slots.memory, settings); });
  };
}

}  // namespace

template <class Real, class ExecutionSpace>
Make<ExecutionSpace> processors(const program::Run<Real, ExecutionSpace>& run,
                                const TrackingSettings& settings, Strategy strategy,
                                const program::ProcessorSettings& of_slots) {
  auto with_steps = of_slots;
  if (with_steps.steps.empty())
    with_steps.steps = pipeline::CylinderChoice{.triplets = settings.use_triplets,
                                                .strategy = key_of(strategy),
                                                .remove_shared_hits = settings.clean,
                                                .smooth = true}
                           .steps();
  Make<ExecutionSpace> make;
  run.with_lanes([&](auto lanes) {
    using Chain = pipeline::CylinderSequence<Real, ExecutionSpace, lanes()>;
    make = processors_with<Chain, ExecutionSpace>(sequence_settings(settings), with_steps);
  });
  return make;
}

template <class Real, class ExecutionSpace>
program::SequenceListing algorithms(const program::Run<Real, ExecutionSpace>& run) {
  program::SequenceListing listing;
  run.with_lanes([&](auto lanes) {
    using Chain = pipeline::CylinderSequence<Real, ExecutionSpace, lanes()>;
    listing = program::listing_of<Chain>();
  });
  return listing;
}

template Tracking track_events(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                               const seeding::TrackingEvents&, const TrackingSettings&);
template Make<TRACKPLEX_SPACE> processors(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                          const TrackingSettings&, Strategy,
                                          const program::ProcessorSettings&);
template program::SequenceListing algorithms(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&);

}  // namespace cylinder_tracker
