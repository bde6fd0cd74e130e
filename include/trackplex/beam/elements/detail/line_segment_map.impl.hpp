// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/line_segment_map.hpp>
#include <trackplex/core/math.hpp>

#include <numbers>
#include <utility>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE void LineSegmentMap::check(const ElementCheck& check) const {
  check.finite("length", length);
  for (const double value : coefficients()) check.finite("optics", value);
  for (const Plane* plane : {&x, &y})
    if (!(plane->beta > 0.)) check.refuse("beta function", plane->beta, "it must be above 0");
}

TRACKPLEX_INLINE TransferMap LineSegmentMap::map_to(int order) const {
  TransferMap map = TransferMap::identity(order);
  map.R(5, 6) = length * compaction;
  for (const auto& [plane, i] : {std::pair(&x, 1), std::pair(&y, 3)}) {
    const double phase = 2. * std::numbers::pi * plane->tune, c = cos(phase), sn = sin(phase),
                 a = plane->alpha, b = plane->beta;
    map.R(i, i) = c + a * sn;
    map.R(i, i + 1) = b * sn;
    map.R(i + 1, i) = -(1. + a * a) * sn / b;
    map.R(i + 1, i + 1) = c - a * sn;
    map.R(i, 6) = plane->eta * (1. - map.R(i, i)) - plane->eta_slope * map.R(i, i + 1);
    map.R(i + 1, 6) = plane->eta_slope * (1. - map.R(i + 1, i + 1)) - plane->eta * map.R(i + 1, i);
    const auto [r1, r2] = path_terms(*plane, c, sn);
    map.R(5, i) = r1;
    map.R(5, i + 1) = r2;
    map.R(5, 6) -= r1 * plane->eta + r2 * plane->eta_slope;
  }
  return misaligned(map, {.tilt = tilt});
}

TRACKPLEX_INLINE void LineSegmentMap::add_steps(StepBuilder& to) const {
  to.rotate(tilt);
  to.add(*this);
  to.rotate(-tilt);
}

TRACKPLEX_INLINE std::vector<double> LineSegmentMap::coefficients() const {
  std::vector<double> c;
  for (const Plane* p : {&x, &y})
    c.insert(c.end(),
             {p->tune, p->chromaticity, 0.5 * p->chromaticity2, p->chromaticity3 / 6.,
              p->detuning_x, 0.5 * p->detuning2_x, p->detuning_y, 0.5 * p->detuning2_y,
              p->detuning_xy, p->beta, p->beta_derivative, p->alpha, p->alpha_derivative, p->eta,
              p->eta_slope, p->eta_derivative, p->eta_slope_derivative, 1. / p->beta});
  c.insert(c.end(), {length * compaction, length * compaction2, length * compaction3, longer_x,
                     0.5 * longer2_x, longer_y, 0.5 * longer2_y, longer_xy, may_cross ? 1. : 0.});
  return c;
}

TRACKPLEX_INLINE std::pair<double, double> LineSegmentMap::path_terms(const Plane& p, double cosine,
                                                                      double sine) {
  return {-p.eta_slope * (1. - cosine) +
              (p.eta * (1. + p.alpha * p.alpha) + p.alpha * p.beta * p.eta_slope) * sine / p.beta,
          p.eta * (1. - cosine) + (p.alpha * p.eta + p.beta * p.eta_slope) * sine};
}

}  // namespace trackplex::beam
