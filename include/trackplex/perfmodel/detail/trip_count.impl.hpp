// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/perfmodel/trip_count.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::perfmodel {
namespace detail {

TRACKPLEX_INLINE std::vector<double> poisson_weights(double mean) {
  const auto last = std::size_t(mean + 12. * std::sqrt(mean) + 30.);
  std::vector<double> weights(last + 1);
  for (std::size_t k = 0; k <= last; ++k)
    weights[k] = std::exp(double(k) * std::log(mean) - mean - std::lgamma(double(k) + 1.));
  return weights;
}

/// The distribution of the sum of two numbers.
TRACKPLEX_INLINE std::vector<double> convolved(const std::vector<double>& a,
                                               const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1, 0.);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
  return sum;
}

TRACKPLEX_INLINE std::vector<double> probabilities(std::vector<double> weights) {
  double sum = 0.;
  for (const double w : weights) {
    if (!(w >= 0.) || !std::isfinite(w))
      throw UsageError("histogram of a trip count", "a weight is negative or not finite",
                       shortest(w));
    sum += w;
  }
  if (!(sum > 0.)) throw UsageError("histogram of a trip count", "all weights are 0");
  for (double& w : weights) w /= sum;
  return weights;
}

TRACKPLEX_INLINE double mean_of(const std::vector<double>& probability) {
  double mean = 0.;
  for (std::size_t k = 0; k < probability.size(); ++k) mean += double(k) * probability[k];
  return mean;
}

TRACKPLEX_INLINE double expected_maximum(const std::vector<double>& probability, double n) {
  double below = 0., maximum = 0.;
  for (const double p : probability) {
    below = std::min(1., below + p);
    maximum += 1. - std::pow(below, n);
  }
  return maximum;
}

TRACKPLEX_INLINE std::vector<double> variable_part(const TripCount& trips, int items) {
  if (trips.poisson > 0. && !trips.histogram.empty())
    throw UsageError("trip count", "both a Poisson part and a histogram", {}, "choose one");
  const double length = items * (trips.poisson + double(trips.histogram.size()));
  if (!(length < max_distribution))
    throw UsageError("trip count", "the distribution is too long", shortest(length) + " iterations",
                     "give the efficiency instead");
  if (trips.poisson > 0.) return poisson_weights(items * trips.poisson);
  if (trips.histogram.empty()) return {1.};
  auto power = probabilities(trips.histogram);
  std::vector<double> sum{1.};
  for (int n = items; n > 0; n /= 2) {
    if (n % 2 == 1) sum = convolved(sum, power);
    if (n > 1) power = convolved(power, power);
  }
  return sum;
}

}  // namespace detail

TRACKPLEX_INLINE double lock_step_efficiency(const TripCount& trips, int lanes,
                                             int items_per_lane) {
  if (lanes < 1 || items_per_lane < 1)
    throw UsageError("lock_step_efficiency", "lanes and work items per lane start at 1",
                     std::to_string(lanes) + " and " + std::to_string(items_per_lane));
  if (lanes == 1 || !trips.varies()) return 1.;
  const auto part = detail::variable_part(trips, items_per_lane);
  const double fixed = items_per_lane * trips.fixed;
  const double longest = fixed + detail::expected_maximum(part, lanes);
  return longest > 0. ? (fixed + detail::mean_of(part)) / longest : 1.;
}

}  // namespace trackplex::perfmodel
