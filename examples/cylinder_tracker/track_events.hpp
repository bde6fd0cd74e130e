// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "found_tracks.hpp"

#include <trackplex/cylinder/tracking_chain.hpp>
#include <trackplex/program/event_processor.hpp>
#include <trackplex/program/run.hpp>
#include <trackplex/program/timing.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cylinder_tracker {

struct StrategyName {
  const char* key;    ///< in reports and on the command line: the name of the algorithm
  const char* name;   ///< in tables
  const char* color;  ///< in plots
};
inline constexpr std::array<StrategyName, 3> strategy_names{
    {{"best_hit", "best hit", "#d9731a"},
     {"standard", "standard", "#2f8f4e"},
     {"clone_engine", "clone engine", "#1f6fb4"}}};

/// Layers of a seed.
inline constexpr int seed_layers = 3;
/// The smoother stores its way through as many layers.
inline constexpr int max_layers = 10;

struct TrackingSettings {
  trackplex::cylinder::TrackingParams params;
  std::vector<std::string> strategies;  ///< their keys
  bool use_triplets = false;            ///< seeds from triplets of hits; else from the truth
  bool clean = false;                   ///< remove tracks that share their hits with better ones
  int batch = 10;                       ///< events in flight
  int repeat = 5;                       ///< timed repetitions after the warm-up
  std::function<void()> after_repetition = [] {};
};

struct Tracking {
  TrackList seeds;
  std::map<std::string, TrackList> tracks;  ///< by the key of the strategy
  std::uint64_t lost_seeds = 0;             ///< triplets beyond the capacities
  /// Per event, in microseconds: load, binning, seeding, seed_fit, the keys of the strategies, and
  /// of the tracks of the last strategy clean, fit and smooth.
  std::map<std::string, trackplex::program::Spread> time_us;

  /// Appends what one strategy found in an event; of the first strategy the seeds, too.
  template <class Real>
  void append(int event, const std::string& strategy, bool is_first, const CylinderResult& result) {
    if (is_first) {
      append_seeds<Real>(event, result, seeds);
      lost_seeds += std::uint64_t(result.lost_seeds);
    }
    append_tracks<Real>(event, result, tracks[strategy]);
  }
};

/// Finds and fits the tracks of all events once as a warm-up and then `repeat` times; throws if a
/// repetition gives other tracks than the one before. Compiled once per backend and number type, in
/// track_events.cpp.
template <class Real, class ExecutionSpace>
Tracking track_events(const trackplex::program::Run<Real, ExecutionSpace>& run,
                      const trackplex::seeding::TrackingEvents& events,
                      const TrackingSettings& settings);

/// Makes the processors of the pipeline's slots for a run with one strategy, or with the steps that
/// the processor's settings name. Compiled there as well.
template <class Real, class ExecutionSpace>
trackplex::program::MakeProcessor<ExecutionSpace, trackplex::seeding::TrackingEvents,
                                  CylinderResult>
processors(const trackplex::program::Run<Real, ExecutionSpace>& run,
           const TrackingSettings& settings, const std::string& strategy,
           const trackplex::program::ProcessorSettings& of_slots);

/// The algorithms that are compiled for a run.
template <class Real, class ExecutionSpace>
trackplex::program::SequenceListing algorithms(
    const trackplex::program::Run<Real, ExecutionSpace>& run);

}  // namespace cylinder_tracker
