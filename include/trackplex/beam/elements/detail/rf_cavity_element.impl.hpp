// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trackplex::beam {

TRACKPLEX_INLINE bool RfCavity::by_maps() const {
  return body_focus == BodyFocus::standing_wave || (length != 0. && kicks == 0);
}

TRACKPLEX_INLINE TransferMap RfCavity::map_to(int order, double p0) const {
  return p0 > 0. ? map_at(p0, order) : drift_map(length, order);
}

TRACKPLEX_INLINE void RfCavity::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("voltage", voltage);
  check.finite("phase", phase);
  check.not_negative("frequency", frequency);
  check.not_negative("quality factor", quality);
  check.finite("displacement in x", dx);
  check.finite("displacement in y", dy);
  check.not_negative("number of kicks", kicks);
  check.not_negative("number of its phase reference", double(phase_reference));
  if (reference_time) check.finite("fiducial time", *reference_time);
  check.finite("rest energy", rest_energy);
  if (!(rest_energy > 0.)) check.refuse("rest energy", rest_energy, "it must be above 0");
  if (body_focus == BodyFocus::standing_wave && length == 0.)
    check.refuse("length", length, "focusing by standing waves needs a length above 0");
  if (body_focus == BodyFocus::travelling_wave && kicks < 10)
    check.refuse("number of kicks", kicks, "focusing by travelling waves needs at least 10");
  if ((linearize || lock_phase) && slices() > 1)
    check.refuse("number of kicks", kicks,
                 "a cavity with a linear field or a locked phase has at most 1");
  if (change_time && quality != 0.)
    check.refuse("quality factor", quality, "a cavity that subtracts periods cannot fill");
}

TRACKPLEX_INLINE double RfCavity::momentum_behind(double p0) const {
  if (!change_momentum) return p0;
  const double energy = std::sqrt(1. + p0 * p0) + voltage / rest_energy * sin(phase);
  return std::sqrt(std::max(0., energy * energy - 1.));
}

TRACKPLEX_INLINE TransferMap RfCavity::map_at(double p0, int order) const {
  if (!(p0 > 0.))
    throw UsageError("cavity", "the momentum of its map is not above 0", shortest(p0));
  const double g = std::sqrt(1. + p0 * p0);
  const double volts = voltage / rest_energy;
  const double gain = volts * sin(phase), g1 = g + gain;
  if (!(g1 > 1.)) throw UsageError("cavity", "it stops the reference particle", shortest(gain));
  const double p1 = std::sqrt(g1 * g1 - 1.), u1 = p1 / p0;
  const double per_s =
      volts * cos(phase) * 2. * std::numbers::pi * frequency / constants::speed_of_light * g / p0;
  TransferMap map = TransferMap::identity(order);
  const auto planes = [&](int i, int j, double value) {
    map.R(i, j) = map.R(i + 2, j + 2) = value;
  };
  if (volts == 0.) return drift_map(length, order);
  if (length != 0. && body_focus == BodyFocus::standing_wave) {
    const double log_gain = log(g1 / g), sine = sin(phase);
    const double two_sqrt2 = 2. * std::numbers::sqrt2;
    const double alpha =
        std::abs(sine) > 1e-6 ? log_gain / (two_sqrt2 * sine) : volts / g / two_sqrt2;
    planes(1, 1, cos(alpha));
    planes(1, 2, two_sqrt2 * g * length / volts * sin(alpha));
    planes(2, 1, -volts * sin(alpha) / (two_sqrt2 * length * g1));
    planes(2, 2, cos(alpha) * g / g1);
  } else {
    // Energy grows along it in proportion to the length: the integral of p0/p
    const double growth = (1. + (g + g1) / (p0 + p1)) / (g + p0);  // of g + p, over the gain
    planes(1, 2, gain == 0. ? length : length * p0 / gain * log1p(gain * growth));
    planes(2, 2, 1. / u1);
  }
  // Lenses at the ends: entrance first, exit last
  const double lens = length == 0. ? 0. : 0.5 * gain / length;
  TransferMap entrance = TransferMap::identity(order), exit = entrance;
  for (const int i : {1, 3}) {
    if (entrance_focus) entrance.R(i + 1, i) = -lens / g;
    if (exit_focus) exit.R(i + 1, i) = lens / g1;
  }
  // Derivatives of p1/p0 by s and delta, and of the velocity over that at the entrance, times
  // length
  const double by_s = g1 / p1 * per_s / p0;
  const double by_delta = (p0 / g) / (p1 / g1) - by_s * 0.5 * length / (g * g);
  const double velocity = (p1 / g1) / (p0 / g), scale = change_momentum ? 1. / u1 : 1.;
  const double by_momentum = length * g / (g1 * g1 * g1);
  map.R(5, 5) = velocity + by_momentum * by_s;
  map.R(5, 6) = by_momentum * by_delta - velocity * length / (g * g);
  map.R(6, 5) = scale * by_s;
  map.R(6, 6) = scale * by_delta;
  if (!change_momentum) map.C(6) = u1 - 1.;
  return concatenated(concatenated(entrance, map), exit);
}

}  // namespace trackplex::beam
