// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/bend_maps.hpp>
#include <trackplex/beam/maps/detail/integrated_map.hpp>
#include <trackplex/beam/maps/kicker_map.hpp>
#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>

namespace trackplex::beam {
namespace detail {

TRACKPLEX_INLINE KickerEquations::KickerEquations(double curvature, double b2, int order)
    : b2_(b2), order_(order) {
  Polynomial one_plus_delta = Polynomial::variable(delta);
  one_plus_delta.c = 1.;
  strength_.add(curvature, power(one_plus_delta, -1., order));
}

TRACKPLEX_INLINE MapState KickerEquations::operator()(const MapState& v, double) const {
  Polynomial along_x, along_y;
  along_x.c = 1.;
  along_x.add(b2_, times(v[x], v[x])).add(-b2_, times(v[y], v[y]));
  along_y.add(-2. * b2_, times(v[x], v[y]));
  MapState d{};
  d[x] = v[xp];
  d[y] = v[yp];
  d[xp] = times(strength_, along_x);
  d[yp] = times(strength_, along_y);
  d[s].add(0.5, times(v[xp], v[xp])).add(0.5, times(v[yp], v[yp]));
  return d;
}

}  // namespace detail

TRACKPLEX_INLINE TransferMap kicker_map_in_plane(const KickerMagnet& kicker, int order) {
  if (order > 2) throw UsageError("kicker", "it has a map of first or second order only");
  const double angle = kicker.angle(), length = kicker.length;
  TransferMap map = TransferMap::identity(order);
  if (length == 0.) {
    map.C(2) = angle;
    map.R(2, 6) = -sin(angle);
    return map;
  }
  const double curvature = sin(angle) / length;
  const double phase = length * std::sqrt(2. * std::abs(curvature * kicker.b2) * (1. + length));
  map.component = detail::integrated(detail::KickerEquations(curvature, kicker.b2, order),
                                     map.component, length, phase);
  if (!kicker.edges || angle == 0.) return map;
  const SectorBend ends{.length = length, .angle = angle};
  return concatenated(concatenated(detail::edge_map(ends, 0., -1, order), map),
                      detail::edge_map(ends, angle, 1, order));
}

TRACKPLEX_INLINE TransferMap kicker_map(const KickerMagnet& kicker, int order) {
  return misaligned(kicker_map_in_plane(kicker, order), {.tilt = kicker.direction()});
}

}  // namespace trackplex::beam
