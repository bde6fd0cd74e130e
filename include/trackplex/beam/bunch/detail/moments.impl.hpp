// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/sum_moments.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/copy.hpp>

#include <cmath>

namespace trackplex::beam {

// namespace detail
TRACKPLEX_INLINE Moments::Moments(const MomentSums& sums, const ReferenceParticle& at)
    : number(sums.number), reference(at) {
  if (!(number > 0.)) return;
  Vector distance;
  const double sample_weight = sums.sample > 0. ? 1. / sums.sample : 0.;  // as in the kernel
  for (int i = 0; i < n_coordinates; ++i) {
    distance[i] = sums.sum[i] / number;
    mean[i] = sums.sample_sum[i] * sample_weight + distance[i];
    min[i] = sums.min[i];
    max[i] = -sums.minus_max[i];
  }
  int pair = 0;
  for (int i = 0; i < n_coordinates; ++i)
    for (int j = 0; j <= i; ++j, ++pair)
      covariance[i][j] = covariance[j][i] = sums.product[pair] / number - distance[i] * distance[j];
  for (int i = 0; i < n_coordinates; ++i)
    if (covariance[i][i] < 0.) covariance[i][i] = 0.;  // rounding, where all particles are one
}

TRACKPLEX_INLINE PlaneOptics Moments::optics(Coordinate plane,
                                             double part_without_dispersion) const {
  const int a = plane, b = plane + 1;
  PlaneOptics optics;
  const double variance = covariance[delta][delta];
  if (variance > 0.) {
    optics.dispersion = covariance[a][delta] / variance;
    optics.dispersion_slope = covariance[b][delta] / variance;
  }
  const auto without = [&](int i, int j) {
    if (!(variance > 0.)) return covariance[i][j];
    return covariance[i][j] -
           part_without_dispersion * (covariance[i][delta] * covariance[j][delta] / variance);
  };
  const double aa = without(a, a), ab = without(a, b), bb = without(b, b);
  const double square = detail::determinant(aa, bb, ab);
  if (!(square > 0.)) return optics;
  optics.emittance = std::sqrt(square);
  optics.normalized_emittance = optics.emittance * beta_gamma();
  optics.beta = aa / optics.emittance;
  optics.alpha = -ab / optics.emittance;
  return optics;
}

TRACKPLEX_INLINE double Moments::duration() const {
  // The delay is (L + s)/beta(delta) - L/beta(0).
  const double inverse_p = 1. / beta_gamma();
  const double inverse_beta = std::sqrt(1. + inverse_p * inverse_p);
  const double of_delta = -(reference.path_length + mean[s]) * inverse_p * inverse_p /
                          (inverse_beta * (1. + mean[delta]));
  const double variance = inverse_beta * inverse_beta * covariance[s][s] +
                          2. * inverse_beta * of_delta * covariance[s][delta] +
                          of_delta * of_delta * covariance[delta][delta];
  return std::sqrt(variance > 0. ? variance : 0.) / constants::speed_of_light;
}

}  // namespace trackplex::beam
