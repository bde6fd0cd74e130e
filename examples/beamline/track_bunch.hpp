// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements.hpp>
#include <trackplex/beam/moments.hpp>
#include <trackplex/beam/particle_table.hpp>
#include <trackplex/beam/space_charge_step.hpp>
#include <trackplex/beam/tracking_steps.hpp>
#include <trackplex/program/run.hpp>
#include <trackplex/program/timing.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beamline {

struct Input;

struct TrackingSettings {
  trackplex::beam::CoordinateLimits limits;
  int turns = 1;
  int repeat = 5;                  ///< timed repetitions after the warm-up
  bool record_elements = false;    ///< moments behind each element of each turn
  bool record_turns = false;       ///< behind each turn
  bool record_first_turn = false;  ///< behind each element of the first turn
  std::optional<int> profile_at;   ///< drift with space charge whose profile is wanted
  bool keep_particles = false;     ///< those of the start and of the end
  std::function<void(std::size_t)> advance = [](std::size_t) {};  ///< so many elements further
};

/// The bunch behind an element, or at the start.
struct MomentRow {
  int turn = 0;
  int element = -1;  ///< -1: the start
  trackplex::beam::Moments moments;
};

/// A drift with space charge in the last turn.
struct SpaceChargePass {
  int element = 0;
  int steps = 0;
  trackplex::beam::SpaceChargeStep last;
};

/// The last step of a drift with space charge.
struct Profile {
  int element = 0;
  trackplex::beam::SpaceChargeStep step;
  std::vector<double> time;     ///< beside the reference particle's, s
  std::vector<double> current;  ///< A
  std::vector<double> voltage;  ///< V
};

/// What became of the bunch.
struct Tracked {
  trackplex::beam::Moments start, end;
  std::vector<int> lost;  ///< per element
  std::vector<SpaceChargePass> space_charge;
  std::vector<MomentRow> rows;        ///< as asked for, the start first
  std::vector<MomentRow> first_turn;  ///< the same, for each element of the first turn
  std::optional<Profile> profile;
  trackplex::beam::ParticleTable first_particles, last_particles;  ///< if they are kept
  std::string particles_hash;
  std::string moments_hash;  ///< of all rows; empty without

  trackplex::program::Spread total_us;  ///< all turns
  /// A step of space charge, over the drifts of the first turn; none without them.
  std::optional<trackplex::program::Spread> space_charge_step_us;
};

/// Reads or generates the bunch and tracks it, once as a warm-up and then `repeat` times from the
/// same start; throws if that gives other particles. Compiled once per backend and number type, in
/// track_bunch.cpp.
template <class Real, class ExecutionSpace>
Tracked track_bunch(const trackplex::program::Run<Real, ExecutionSpace>& run, const Input& input,
                    const TrackingSettings& settings);

}  // namespace beamline
