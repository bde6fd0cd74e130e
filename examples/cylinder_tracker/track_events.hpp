// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "found_tracks.hpp"

#include <trackplex/candidates/building_params.hpp>
#include <trackplex/candidates/shared_hits_params.hpp>
#include <trackplex/pipeline/cylinder_result.hpp>
#include <trackplex/program/event_processor.hpp>
#include <trackplex/program/run.hpp>
#include <trackplex/program/timing.hpp>
#include <trackplex/search/binned_hits.hpp>
#include <trackplex/seeding/cylinder_triplet_cuts.hpp>
#include <trackplex/seeding/track_layers.hpp>
#include <trackplex/seeding/tracking_events.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cylinder_tracker {

enum class Strategy { best_hit, standard, clone_engine };

struct StrategyName {
  Strategy strategy;
  const char* key;   ///< in reports and on the command line
  const char* name;  ///< in tables
};
inline constexpr std::array<StrategyName, 3> strategy_names{
    {{Strategy::best_hit, "best_hit", "best hit"},
     {Strategy::standard, "standard", "standard"},
     {Strategy::clone_engine, "clone_engine", "clone engine"}}};

inline const char* key_of(Strategy strategy) {
  for (const auto& entry : strategy_names)
    if (entry.strategy == strategy) return entry.key;
  return "";
}

/// Layers of a seed.
inline constexpr int seed_layers = 3;
/// The smoother keeps its way through so many layers.
inline constexpr int most_layers = 10;

struct TrackingSettings {
  std::vector<Strategy> strategies;
  bool use_triplets = false;  ///< seeds from triplets of hits; else from the truth
  trackplex::seeding::CylinderLayers detector;
  std::vector<double> half_length;  ///< cm, of the bins of each layer
  trackplex::search::BinCounts bins{256, 64};
  double field = 3.8112;  ///< T, for seeds and building
  trackplex::candidates::BuildingParams building;
  trackplex::seeding::CylinderTripletParameters triplets;
  bool clean = false;  ///< leave out tracks that share their hits with better ones
  trackplex::candidates::SharedHitsParams shared_hits;
  int seeds_per_team = 32;
  int batch = 10;  ///< events in flight
  int repeat = 5;  ///< timed repetitions after the warm-up
  std::function<void()> after_repetition = [] {};
};

struct Tracking {
  TrackList seeds;
  std::map<std::string, TrackList> tracks;  ///< by the key of the strategy
  std::uint64_t lost_seeds = 0;             ///< triplets for which there was no room
  /// Per event, in microseconds: load, binning, seeding, seed_fit, the keys of the strategies, and
  /// of the tracks of the last strategy clean, fit and smooth.
  std::map<std::string, trackplex::program::Spread> time_us;
};

/// Finds and fits the tracks of all events once as a warm-up and then `repeat` times; throws if a
/// repetition gives other tracks than the one before. Compiled once per backend and number type, in
/// track_events.cpp.
template <class Real, class ExecutionSpace>
Tracking track_events(const trackplex::program::Run<Real, ExecutionSpace>& run,
                      const trackplex::seeding::TrackingEvents& events,
                      const TrackingSettings& settings);

/// What makes the processors of the pipeline's slots for a run with one strategy, or with the steps
/// that the processor's settings name. Compiled there as well.
template <class Real, class ExecutionSpace>
trackplex::program::MakeProcessor<ExecutionSpace, trackplex::seeding::TrackingEvents,
                                  trackplex::pipeline::CylinderResult>
processors(const trackplex::program::Run<Real, ExecutionSpace>& run,
           const TrackingSettings& settings, Strategy strategy,
           const trackplex::program::ProcessorSettings& of_slots);

/// The algorithms that are compiled for a run.
template <class Real, class ExecutionSpace>
trackplex::program::SequenceListing algorithms(
    const trackplex::program::Run<Real, ExecutionSpace>& run);

}  // namespace cylinder_tracker
