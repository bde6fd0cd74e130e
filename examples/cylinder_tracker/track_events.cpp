// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per backend and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "track_events.hpp"

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>

namespace cylinder_tracker {

namespace cylinder = trackplex::cylinder;
namespace program = trackplex::program;
using trackplex::seeding::TrackingEvents;

namespace {

template <class ExecutionSpace>
using Make = program::MakeProcessor<ExecutionSpace, TrackingEvents, CylinderResult>;

std::vector<std::string> steps_of(const TrackingSettings& settings, const std::string& strategy) {
  return cylinder::TrackingSteps{.triplets = settings.use_triplets,
                                 .strategy = strategy,
                                 .remove_shared_hits = settings.clean,
                                 .smooth = true}
      .names();
}

/// One repetition: all events, with the chains of all strategies. Adds the microseconds of the fit
/// by itself, without the smoother, of the last strategy's tracks.
template <class Real, class Chain>
Tracking track_all(std::vector<Chain>& chains, std::span<const TrackingEvents> events,
                   const TrackingSettings& settings, double& fit_us) {
  Tracking found;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    int event = 0;
    for (auto rest = events; !rest.empty();) {
      const auto batch = rest.first(std::min(rest.size(), std::size_t(settings.batch)));
      const auto results = chains[i](batch);
      rest = rest.subspan(batch.size());
      if (i + 1 == chains.size()) {
        const auto begin = std::chrono::steady_clock::now();
        chains[i].repeat({"fit_tracks"});
        const std::chrono::duration<double, std::micro> time =
            std::chrono::steady_clock::now() - begin;
        fit_us += time.count();
      }
      for (const auto& result : results)
        found.append<Real>(event++, settings.strategies[i], i == 0, result);
    }
  }
  return found;
}

/// Microseconds of all repetitions up to now, by the names of Tracking::time_us. Of steps that
/// several chains have, those of the last one.
template <class Chain>
std::map<std::string, double> times_of(const std::vector<Chain>& chains, double fit_us) {
  static const std::map<std::string, std::string> names{
      {"stage_hits", "load"},        {"truth_seeds", "load"},         {"upload_hits", "load"},
      {"upload_seeds", "load"},      {"bin_hits", "binning"},         {"find_triplets", "seeding"},
      {"count_triplets", "seeding"}, {"fill_seeds", "seeding"},       {"fit_seeds", "seed_fit"},
      {"keep_tracks", "clean"},      {"remove_shared_hits", "clean"}, {"smooth_tracks", "smooth"}};
  std::map<std::string, double> of_steps, times{{"seeding", 0.}, {"fit", fit_us}};
  for (const auto& chain : chains)
    for (const auto& step : chain.report().steps) of_steps[step.name] = 1e6 * step.seconds;
  for (const auto& [step, time] : of_steps) {
    const auto name = names.find(step);
    if (name != names.end())
      times[name->second] += time;
    else if (step != "copy_out" && step != "collect")
      times[step] = time;
  }
  return times;
}

std::uint64_t fingerprint(const Tracking& tracking) {
  trackplex::Fingerprint hash;
  hash.add(tracking.seeds.fingerprint);
  for (const auto& [key, tracks] : tracking.tracks) hash.add(tracks.fingerprint);
  return hash.value();
}

}  // namespace

template <class Real, class ExecutionSpace>
Tracking track_events(const program::Run<Real, ExecutionSpace>& run, const TrackingEvents& events,
                      const TrackingSettings& settings) {
  std::vector<TrackingEvents> parts;
  for (int event = 0; event < events.events(); ++event) parts.push_back(events.part(event, 1));
  Tracking result;
  run.with_lanes([&](auto lanes) {
    constexpr int width = lanes();
    std::vector<cylinder::TrackingChain<Real, ExecutionSpace, width>> chains;
    for (const auto& strategy : settings.strategies) {
      chains.push_back(
          cylinder::tracking_chain<Real, ExecutionSpace, width>(run.exec, settings.params));
      chains.back().select(steps_of(settings, strategy));
      chains.back().time_each_step(true);
    }
    double fit_us = 0.;
    std::map<std::string, std::vector<double>> times;
    std::map<std::string, double> before;
    for (int repetition = 0; repetition <= settings.repeat; ++repetition) {
      auto found = track_all<Real>(chains, parts, settings, fit_us);
      if (repetition > 0 && fingerprint(found) != fingerprint(result))
        throw trackplex::Error(run.description().backend, "two repetitions gave different tracks");
      result = std::move(found);
      const auto now = times_of(chains, fit_us);
      for (const auto& [name, time] : now)
        if (repetition > 0) times[name].push_back(time - before[name]);
      before = now;
      settings.after_repetition();
    }
    for (auto& [name, values] : times)
      result.time_us[name] =
          program::spread_of(std::move(values)) / double(std::max(1, events.events()));
  });
  return result;
}

template <class Real, class ExecutionSpace>
Make<ExecutionSpace> processors(const program::Run<Real, ExecutionSpace>& run,
                                const TrackingSettings& settings, const std::string& strategy,
                                const program::ProcessorSettings& of_slots) {
  auto with_steps = of_slots;
  if (with_steps.steps.empty()) with_steps.steps = steps_of(settings, strategy);
  Make<ExecutionSpace> make;
  run.with_lanes([&](auto lanes) {
    constexpr int width = lanes();
    using Chain = cylinder::TrackingChain<Real, ExecutionSpace, width>;
    make = [with_steps, params = settings.params](const ExecutionSpace& instance, int slot) {
      return std::make_unique<program::ChainProcessor<Chain>>(
          with_steps, slot,
          cylinder::tracking_chain<Real, ExecutionSpace, width>(
              instance, params, {with_steps.memory, with_steps.memory / 2}));
    };
  });
  return make;
}

template <class Real, class ExecutionSpace>
program::SequenceListing algorithms(const program::Run<Real, ExecutionSpace>& run) {
  program::SequenceListing listing;
  run.with_lanes([&](auto lanes) {
    listing = program::listing_of<cylinder::TrackingChain<Real, ExecutionSpace, lanes()>>();
  });
  return listing;
}

template Tracking track_events(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                               const TrackingEvents&, const TrackingSettings&);
template Make<TRACKPLEX_SPACE> processors(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                          const TrackingSettings&, const std::string&,
                                          const program::ProcessorSettings&);
template program::SequenceListing algorithms(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&);

}  // namespace cylinder_tracker
