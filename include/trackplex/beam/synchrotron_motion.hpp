// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Longitudinal motion in rings: slip and synchrotron tune. On the host.

#include <trackplex/beam/elements.hpp>
#include <trackplex/beam/line_maps.hpp>
#include <trackplex/beam/twiss.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace trackplex::beam {

/// Longitudinal motion of one turn about the reference particle.
struct SynchrotronMotion {
  /// Phase slip: relative change of the time of a turn by delta, \f$\alpha_c-1/\gamma^2\f$, along
  /// the dispersive orbit of the start.
  double slip = 0.;
  double compaction = 0.;  ///< Momentum compaction: relative change of the path of a turn by delta.
  double tune = 0.;        ///< Synchrotron tune, 0 to 1/2; 0 without cavities.
};

/// Returns the linear map of a line for particles at a reference momentum p0 (beta gamma), in which
/// the fifth coordinate is the delay behind the reference particle times its velocity, m, in the
/// place of s: drifts of a length l have R_56 = -l/gamma^2.
/// @throws UsageError as `map_of`, or if p0 is not above 0 or changes along the line
inline TransferMap delay_map_of(const BeamLine& line, double p0) {
  if (!(p0 > 0.))
    throw UsageError("synchrotron motion", "the momentum is not above 0", shortest(p0));
  TransferMap turn = TransferMap::identity(1);
  for (const Element& element : line) {
    TransferMap map = truncated(detail::map_to(element, 1, p0), 1);
    const bool is_cavity = map.R(6, 5) != 0. || map.R(6, 6) != 1.;
    if (!is_cavity) map.R(5, 6) -= length_of(element) / (1. + p0 * p0);
    if (element.kind.momentum_behind(p0) != p0)
      throw UsageError("element '" + element.name + "'", "it changes the reference momentum", {},
                       "the motion of a turn is that at one momentum");
    turn = concatenated(turn, map);
  }
  return turn;
}

namespace detail {

/// Returns the tune of the mode that is mostly longitudinal, of one of its two directions.
inline double slowest_tune(const TransferMap& turn) {
  std::array<std::array<double, 6>, 6> m;
  for (int i = 0; i < 6; ++i) m[i] = turn.component[i].r;
  try {
    const double tune = normal_modes<6>(m)[2].tune;
    return std::min(tune, 1. - tune);
  } catch (const UsageError& error) {
    throw UsageError("synchrotron motion", "it is not stable", error.what(),
                     "above transition a cavity needs a falling voltage, below it a rising one");
  }
}

}  // namespace detail

/// Computes the longitudinal motion of a ring at a reference momentum p0 (beta gamma). The
/// synchrotron tune is that of the slowest mode of the whole map, with the effect of dispersion in
/// the cavities.
/// @throws UsageError as `delay_map_of`, if the motion in a plane has no dispersion (its tune is
/// whole), or the longitudinal motion is not stable
inline SynchrotronMotion synchrotron_motion(const BeamLine& ring, double p0) {
  const TransferMap turn = delay_map_of(ring, p0);
  const double length = length_of(ring), gamma2 = 1. + p0 * p0;
  SynchrotronMotion motion;
  BeamLine passive;  // the same without acceleration
  for (const Element& element : ring) {
    const TransferMap map = detail::map_to(element, 1, p0);
    const bool is_cavity = map.R(6, 5) != 0. || map.R(6, 6) != 1.;
    passive.push_back(is_cavity ? Element{element.name, Drift{length_of(element)}} : element);
  }
  const TransferMap free = map_of(passive, 1);
  const Optics start = periodic_twiss(free).start;
  double longer = free.R(5, 6);
  for (int j = 1; j <= 4; ++j) longer += free.R(5, j) * start.dispersion[j - 1];
  motion.compaction = longer / length;
  motion.slip = motion.compaction - 1. / gamma2;
  if (turn.R(6, 5) != 0.) motion.tune = detail::slowest_tune(turn);
  return motion;
}

}  // namespace trackplex::beam
