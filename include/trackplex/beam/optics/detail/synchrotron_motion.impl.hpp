// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/beam/optics/synchrotron_motion.hpp>
#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <array>

namespace trackplex::beam {

TRACKPLEX_INLINE TransferMap delay_map_of(const BeamLine& line, double p0) {
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
TRACKPLEX_INLINE double slowest_tune(const TransferMap& turn) {
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

TRACKPLEX_INLINE SynchrotronMotion synchrotron_motion(const BeamLine& ring, double p0) {
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
