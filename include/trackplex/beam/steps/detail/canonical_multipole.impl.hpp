// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/beam/steps/canonical_multipole.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/lane_memory.hpp>

#include <string>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE IntegrationScheme integration_scheme(int order) {
  std::vector<double> weights;
  if (order == 2) {
    weights = {1.};
  } else if (order == 4) {
    const double b = cbrt(2.), outer = 1. / (2. - b);
    weights = {outer, -b * outer, outer};
  } else if (order == 6) {
    const double w1 = -1.17767998417887100694641568, w2 = 0.235573213359358133684793183,
                 w3 = 0.784513610477557263819497634;
    weights = {w3, w2, w1, 1. - 2. * (w1 + w2 + w3), w1, w2, w3};
  } else {
    throw UsageError("thick magnet", "there is no integration of order " + std::to_string(order),
                     "allowed: 2, 4, 6");
  }
  IntegrationScheme scheme{{0.5 * weights.front()}, weights};
  for (std::size_t i = 1; i < weights.size(); ++i)
    scheme.drifts.push_back(0.5 * (weights[i - 1] + weights[i]));
  scheme.drifts.push_back(0.5 * weights.back());
  return scheme;
}

TRACKPLEX_INLINE std::vector<double> slice_coefficients(double length, double strength, int slices,
                                                        int order) {
  if (slices < 1) throw UsageError("thick magnet", "it needs slices", std::to_string(slices));
  const IntegrationScheme scheme = integration_scheme(order);
  const double slice = length / slices;
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < scheme.kicks.size(); ++i) {
    coefficients.push_back(scheme.drifts[i] * slice);
    coefficients.push_back(scheme.kicks[i] * strength * slice);
  }
  coefficients.push_back(scheme.drifts.back() * slice);
  return coefficients;
}

}  // namespace trackplex::beam
