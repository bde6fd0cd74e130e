// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/change_reference.hpp>
#include <trackplex/beam/elements/detail/rf_deflector_pass.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <cmath>

namespace trackplex::beam {

TRACKPLEX_INLINE int RfDeflector::slices() const {
  int n = kicks;
  if (n == 0 && length == 0.) return 1;
  if (n == 0) n = int(std::max(11., 100. * length * frequency / constants::speed_of_light));
  return n % 2 == 0 ? n + 1 : n;
}

TRACKPLEX_INLINE TransferMap RfDeflector::map_to(int order, double p0) const {
  return p0 > 0. ? map_at(p0, order) : drift_map(length, order);
}

TRACKPLEX_INLINE void RfDeflector::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("voltage", voltage);
  check.finite("phase", phase);
  check.not_negative("frequency", frequency);
  check.not_negative("number of kicks", kicks);
  check.placed(misalignment);
  constexpr double most = 1e6;
  if (kicks == 0 && !(length * frequency / constants::speed_of_light * 100. < most))
    check.refuse("frequency", frequency, "it would have more than a million slices");
}

TRACKPLEX_INLINE TransferMap RfDeflector::map_at(double p0, int order) const {
  if (!(p0 > 0.))
    throw UsageError("deflecting cavity", "the momentum of its map is not above 0", shortest(p0));
  const int n = slices();
  const double l = length / n, k = wave_number(), per_velocity = std::sqrt(1. + 1. / (p0 * p0));
  const TransferMap drift = drift_map(0.5 * l, 1);
  TransferMap map = TransferMap::identity(1);
  for (int i = 0; i < n; ++i) {
    const double way = (i + 0.5) * l;
    const double angle = first_phase() + k * way * (per_velocity - (standing_wave ? 0. : 1.)) +
                         k * misalignment.dz * per_velocity;
    const double a = kick() / p0 * cos(angle), b = kick() / p0 * k * sin(angle);
    TransferMap thin = TransferMap::identity(1);
    thin.C(2) = a;
    thin.R(2, 5) = -b * per_velocity;
    thin.R(2, 6) = -a;
    thin.R(6, 1) = b;
    if (!magnetic) {  // the field does work on what it deflects
      thin.R(6, 2) = a;
      thin.C(6) = 0.5 * a * a;
    }
    map = concatenated(concatenated(concatenated(map, drift), thin), drift);
  }
  map.order = order;
  return misaligned(map, misalignment);
}

}  // namespace trackplex::beam
