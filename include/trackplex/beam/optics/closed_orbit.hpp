// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Closed orbits and optics of rings from particle tracking: with misaligned and nonlinear
/// magnets, and at other momenta.

#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/chromaticity.hpp>
#include <trackplex/beam/optics/single_particles.hpp>
#include <trackplex/beam/optics/twiss.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::beam {

/// Finds orbits through a ring, and the motion about them, by tracking a particle and 24
/// neighbours: derivatives are those of fourth-order polynomials through them. Collective
/// elements are replaced, see `for_single_particles`.
/// @tparam ExecutionSpace Kokkos execution space
/// @tparam Types          ElementList of custom step types, as for `LineTracker`
template <class ExecutionSpace, class Types = ElementTypes<>,
          int Width = default_lane_width<ExecutionSpace, double, KernelKind::beam_tracking>>
class OrbitTracker {
  using Tracker = LineTracker<double, ExecutionSpace, Types, Width>;

 public:
  using Vector = TransferMap::Vector;  ///< Coordinates of a particle.
  /// Distances of the nearest neighbours in x, xp, y, yp, s (m and rad) and delta.
  static constexpr Vector steps = {5e-6, 1e-6, 5e-6, 1e-6, 1e-4, 1e-5};

  /// Creates a tracker for a ring at a reference momentum p0 (beta gamma).
  /// @throws UsageError as `for_single_particles` and `LineTracker`
  OrbitTracker(const ExecutionSpace& exec, const BeamLine& ring, double p0)
      : exec_(exec), p0_(p0), line_(for_single_particles(ring, p0)), turn_(exec, line_) {}

  /// Returns the ring, as tracked.
  const BeamLine& line() const { return line_; }

  /// Returns the linear map of a turn about the particle that starts at `orbit`; its constants are
  /// the coordinates of that particle after the turn.
  /// @throws UsageError if one of the particles is lost
  TransferMap turn_about(const Vector& orbit) {
    auto bunch = upload<double>(exec_, neighbours(orbit));
    turn_.track(bunch);
    return map_from(bunch);
  }

  /// Returns the linear maps about that particle from the start to after each element.
  /// @throws UsageError if one of the particles is lost
  std::vector<TransferMap> maps_about(const Vector& orbit) {
    std::vector<int> all(line_.size());
    std::iota(all.begin(), all.end(), 0);
    Tracker tracker(exec_, line_, {}, all);
    auto bunch = upload<double>(exec_, neighbours(orbit));
    std::vector<TransferMap> maps;
    tracker.track(bunch, 1, [&](int, int, auto& at) { maps.push_back(map_from(at)); });
    return maps;
  }

  /// Returns the closed orbit for a momentum: x, xp, y and yp return to themselves after a turn
  /// with s = 0 and this delta at the start. Newton's method, from the orbit `guess`.
  /// @throws UsageError if there is none, or as `turn_about`
  Vector closed_orbit(double delta_at_start = 0., Vector guess = {}) {
    constexpr int most = 50;
    guess[delta] = delta_at_start;
    guess[s] = 0.;
    double before = 0.;
    for (int i = 0; i < most; ++i) {
      const double distance = move_to_fixed_point(guess);
      // until only rounding moves it
      if (distance < 1e-15 || (i > 2 && distance < 1e-11 && distance >= 0.5 * before)) return guess;
      before = distance;
    }
    throw UsageError("closed orbit", "it is not found", "delta = " + shortest(delta_at_start),
                     "the motion may not be stable");
  }

 private:
  /// The orbit and its neighbours: for each coordinate at 1, -1, 2 and -2 steps.
  ParticleTable neighbours(const Vector& orbit) const {
    ParticleTable table(1 + 4 * n_coordinates, p0_);
    for (int c = 0; c < n_coordinates; ++c) {
      std::fill(table.v[c].begin(), table.v[c].end(), orbit[c]);
      for (int k = 0; k < 4; ++k) table.v[c][1 + 4 * c + k] += distances[k] * steps[c];
    }
    return table;
  }

  template <class BunchType>
  TransferMap map_from(const BunchType& bunch) {
    const auto table = download(exec_, bunch);
    for (int i = 0; i < table.size(); ++i)
      if (const auto& loss = table.losses[i]; loss.element != Loss::none)
        throw UsageError("closed orbit", "its particles are lost",
                         "in element '" + line_[loss.element].name + "'");
    TransferMap map = TransferMap::identity(1);
    for (int i = 0; i < n_coordinates; ++i) {
      const auto& v = table.v[i];
      map.component[i].c = v[0];
      for (int j = 0; j < n_coordinates; ++j) {
        const double* at = v.data() + 1 + 4 * j;
        map.component[i].r[j] = (8. * (at[0] - at[1]) - (at[2] - at[3])) / (12. * steps[j]);
      }
    }
    return map;
  }

  /// One step of Newton's method; returns its length.
  double move_to_fixed_point(Vector& orbit) {
    const TransferMap turn = turn_about(orbit);
    std::array<double, 4> off;
    for (int i = 0; i < 4; ++i) off[i] = turn.component[i].c - orbit[i];
    const auto step = detail::fixed_point(turn, off);
    double distance = 0.;
    for (int i = 0; i < 4; ++i) {
      orbit[i] += step[i];
      distance = std::max(distance, std::abs(step[i]));
    }
    if (!std::isfinite(distance))
      throw UsageError("closed orbit", "it is not found", {}, "the motion may not be stable");
    return distance;
  }

  static constexpr double distances[4] = {1., -1., 2., -2.};
  ExecutionSpace exec_;
  double p0_;
  BeamLine line_;
  Tracker turn_;
};

namespace detail {
/// Adds whole turns to a phase, so it follows the previous phase.
inline void continue_phase(double before, double& phase) {
  constexpr double turn = 2. * std::numbers::pi;
  phase += turn * std::round((before - phase) / turn);
  if (phase < before - 0.1) phase += turn;  // not for rounding
}
}  // namespace detail

/// Computes the optics along a line about the particle that starts at `orbit`, from those at the
/// start. Tunes are left at 0.
/// @throws UsageError if the particle or one of its neighbours is lost
template <class Tracker>
OrbitOptics optics_about(Tracker& tracker, const Optics& start, const TransferMap::Vector& orbit) {
  OrbitOptics result{{orbit}, {start}};
  double position = start.position;
  const auto maps = tracker.maps_about(orbit);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    TransferMap::Vector at{};
    for (int c = 0; c < n_coordinates; ++c) at[c] = maps[i].component[c].c;
    result.orbit.push_back(at);
    const double length = length_of(tracker.line()[i]);
    position += length;
    Optics here = behind(start, maps[i], position - start.position);
    detail::continue_phase(result.optics.back().phase_x, here.phase_x);
    detail::continue_phase(result.optics.back().phase_y, here.phase_y);
    result.optics.push_back(here);
  }
  return result;
}

/// Computes the closed orbit of a momentum, delta, and the optics about it, along the ring.
/// @throws UsageError if there is no closed orbit, or the motion about it is not stable
template <class Tracker>
OrbitOptics orbit_optics(Tracker& tracker, double delta_at_start = 0.) {
  const auto orbit = tracker.closed_orbit(delta_at_start);
  const PeriodicOptics periodic = periodic_twiss(tracker.turn_about(orbit));
  OrbitOptics result = optics_about(tracker, periodic.start, orbit);
  result.tune_x = periodic.tune_x;
  result.tune_y = periodic.tune_y;
  return result;
}

/// Computes how tunes, closed orbit and path of a ring depend on the momentum about that of
/// `delta_at_start`, by differences of closed orbits at momenta that are a step apart; first
/// derivatives are of fourth order in it.
/// @throws UsageError as `orbit_optics`
template <class Tracker>
Chromaticity orbit_chromaticity(Tracker& tracker, double delta_at_start = 0., double step = 1e-4) {
  struct Turn {
    TransferMap::Vector orbit;
    double tune_x, tune_y, longer;
  };
  const auto turn_at = [&](int steps) {
    const auto orbit = tracker.closed_orbit(delta_at_start + steps * step);
    const TransferMap turn = tracker.turn_about(orbit);
    const PeriodicOptics periodic = periodic_twiss(turn);
    return Turn{orbit, periodic.tune_x, periodic.tune_y, turn.component[s].c - orbit[s]};
  };
  const Turn down2 = turn_at(-2), down = turn_at(-1), here = turn_at(0), up = turn_at(1),
             up2 = turn_at(2);
  const auto slope = [&](auto value) {
    const auto less_turns = [](double by) { return by - std::round(by); };  // for tunes
    return (8. * less_turns(value(up) - value(down)) - less_turns(value(up2) - value(down2))) /
           (12. * step);
  };
  const double length = length_of(tracker.line());
  Chromaticity change;
  change.x = slope([](const Turn& turn) { return turn.tune_x; });
  change.y = slope([](const Turn& turn) { return turn.tune_y; });
  change.momentum_compaction = slope([](const Turn& turn) { return turn.longer; }) / length;
  const auto half_second = [&](auto value) {
    return ((value(up) - value(here)) - (value(here) - value(down))) / (2. * step * step);
  };
  change.momentum_compaction2 = half_second([](const Turn& turn) { return turn.longer; }) / length;
  for (int c = 0; c < 4; ++c)
    change.second_dispersion[c] = half_second([c](const Turn& turn) { return turn.orbit[c]; });
  return change;
}

}  // namespace trackplex::beam
