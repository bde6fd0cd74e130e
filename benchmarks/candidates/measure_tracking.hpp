// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "studies.hpp"

#include <common/run.hpp>
#include <common/timing.hpp>
#include <functional>
#include <map>
#include <string>
#include <trackplex/tracks/track_layers.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <vector>

namespace trackplex::benchmarks {

/// Layers of a seed.
inline constexpr int seed_layers = 3;

struct TrackingSettings {
  TrackingCase one;
  tracks::CylinderLayers detector;
  std::vector<double> half_length;  ///< cm, of the bins of each layer
  int repeat = 5;                   ///< timed repetitions after the warm-up
  std::function<void()> after_repetition = [] {};
};

/// Mean numbers of hits for one search of best hit on one layer.
struct HitsOfWindow {
  double looked_at = 0.;   ///< in the bins that the window touches
  double inside = 0.;      ///< in the window
  double compatible = 0.;  ///< with a chi2 that is small enough
};

struct TrackingOutcome {
  /// Per event: load (hits to the device), binning, seed_fit, best_hit, standard, clone_engine,
  /// unload (tracks to the host), start_states, fit, as far as the case has them, and total.
  program::Times time_us;
  std::map<std::string, std::string> hash;  ///< of the tracks of each strategy
  HitsOfWindow window;
  int seeds = 0;
};

/// Tracks all events once as a warm-up and then `repeat` times. Compiled once per backend, in
/// measure_tracking.cpp.
template <class Real, class ExecutionSpace>
TrackingOutcome measure_tracking(const program::Run<Real, ExecutionSpace>& run,
                                 const tracks::TrackingEvents& events,
                                 const TrackingSettings& settings);

}  // namespace trackplex::benchmarks
