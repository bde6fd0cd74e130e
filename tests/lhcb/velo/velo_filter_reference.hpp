// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_end_states.hpp>

#include <span>

/// The filter of straight VELO tracks, plainly: matrices written out, one hit after the other.
namespace trackplex::test {

struct FilterHit {
  double x, y, z;
};

/// At z = 770 mm.
struct FilterState {
  double x, y, tx, ty;
};

struct FilteredLine {
  double at_end, slope;
};

/// One coordinate: state (a, s) with covariance C; F = ((1, dz), (0, 1)), noise Q = diag(0, q),
/// measurement of a with variance v.
template <class Coordinate>
FilteredLine filtered_line(std::span<const FilterHit> upstream_last, double slope, double q,
                           const lhcb::VeloFilterParams& parameters, const Coordinate& coordinate) {
  const double v = 1. / parameters.inverse_variance;
  double z = upstream_last.back().z, a = coordinate(upstream_last.back()), s = slope;
  double c00 = v, c01 = 0., c11 = parameters.initial_slope_variance;
  for (auto hit = upstream_last.rbegin() + 1; hit != upstream_last.rend(); ++hit) {
    const double dz = hit->z - z;
    // The noise acts before the flight: C' = F (C + Q) F^T
    const double n11 = c11 + q;
    const double p00 = c00 + 2. * dz * c01 + dz * dz * n11, p01 = c01 + dz * n11;
    const double gain0 = p00 / (p00 + v), gain1 = p01 / (p00 + v);
    const double predicted = a + dz * s, residual = coordinate(*hit) - predicted;
    a = predicted + gain0 * residual;
    s += gain1 * residual;
    c00 = (1. - gain0) * p00;
    c01 = (1. - gain0) * p01;
    c11 = n11 - gain1 * p01;
    z = hit->z;
  }
  return {a + s * (770. - z), s};
}

/// Hits from the most downstream one on; slopes of the line at the beam.
inline FilterState filtered_end_state(std::span<const FilterHit> hits, double tx, double ty,
                                      const lhcb::VeloFilterParams& parameters) {
  const double q = parameters.noise + parameters.noise_per_slope2 * (tx * tx + ty * ty);
  const auto x = filtered_line(hits, tx, q, parameters, [](const FilterHit& h) { return h.x; });
  const auto y = filtered_line(hits, ty, q, parameters, [](const FilterHit& h) { return h.y; });
  return {x.at_end, y.at_end, x.slope, y.slope};
}

}  // namespace trackplex::test
