// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "tracker.hpp"

#include <trackplex/core/error.hpp>

namespace cylinder_tracker {

namespace {

std::vector<seeding::TrackingEvents> batches_of(const seeding::TrackingEvents& events, int batch) {
  std::vector<seeding::TrackingEvents> parts;
  for (int first = 0; first < events.events(); first += batch)
    parts.push_back(events.part(first, std::min(batch, events.events() - first)));
  return parts;
}

const char* key_of(Strategy strategy) {
  for (const auto& entry : strategy_names)
    if (entry.strategy == strategy) return entry.key;
  return "";
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
    tracker.append_seeds(first_event, result.seeds);
    result.lost_seeds += tracker.lost_seeds();
    for (const auto strategy : settings.strategies) {
      timer.time(key_of(strategy), [&] { tracker.build(strategy); });
      const bool is_last = strategy == settings.strategies.back();
      const auto step = [&](const char* name) { return is_last ? name : "not reported"; };
      timer.time(step("clean"), [&] { tracker.clean(); });
      auto& tracks = result.tracks[key_of(strategy)];
      tracker.append_tracks(first_event, tracks);
      tracker.start_fit();
      timer.time(step("fit"), [&] { tracker.fit(); });
      tracker.start_fit();
      timer.time(step("smooth"), [&] { tracker.smooth(); });
      tracker.append_fits(tracks);
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

template Tracking track_events(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                               const seeding::TrackingEvents&, const TrackingSettings&);

}  // namespace cylinder_tracker
