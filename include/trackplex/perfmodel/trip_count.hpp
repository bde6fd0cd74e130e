// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Distributions of trip counts, and the efficiency of lanes in lock step, which wait for the
/// longest of them.

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace trackplex::perfmodel {

/// Distribution of the number of iterations of a loop: a constant plus a random part, which is
/// Poisson distributed or given by a histogram.
struct TripCount {
  double fixed = 0.;    ///< constant part
  double poisson = 0.;  ///< mean of a Poisson distributed part; 0: none
  /// Weights of 0, 1, 2, ... further iterations, of any positive sum; empty: none. Excludes
  /// `poisson`.
  std::vector<double> histogram{};

  /// Whether there is a random part.
  bool varies() const { return poisson > 0. || !histogram.empty(); }
  /// Whether all members are equal.
  friend bool operator==(const TripCount&, const TripCount&) = default;
};

namespace detail {

/// Max iterations of all work items of a lane; a longer distribution would take too much time.
inline constexpr double max_distribution = 1e5;

/// Probabilities of 0, 1, 2, ... of a Poisson distribution, as far as they matter.
inline std::vector<double> poisson_weights(double mean) {
  const auto last = std::size_t(mean + 12. * std::sqrt(mean) + 30.);
  std::vector<double> weights(last + 1);
  for (std::size_t k = 0; k <= last; ++k)
    weights[k] = std::exp(double(k) * std::log(mean) - mean - std::lgamma(double(k) + 1.));
  return weights;
}

/// The distribution of the sum of two numbers.
inline std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1, 0.);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) sum[i + j] += a[i] * b[j];
  return sum;
}

/// Normalised to 1.
inline std::vector<double> probabilities(std::vector<double> weights) {
  double sum = 0.;
  for (const double w : weights) {
    if (!(w >= 0.) || !std::isfinite(w))
      throw UsageError("histogram of a trip count", "a weight is negative or not finite",
                       std::to_string(w));
    sum += w;
  }
  if (!(sum > 0.)) throw UsageError("histogram of a trip count", "all weights are 0");
  for (double& w : weights) w /= sum;
  return weights;
}

inline double mean_of(const std::vector<double>& probability) {
  double mean = 0.;
  for (std::size_t k = 0; k < probability.size(); ++k) mean += double(k) * probability[k];
  return mean;
}

/// E[largest of n] = sum over k of 1 - F(k)^n.
inline double expected_maximum(const std::vector<double>& probability, double n) {
  double below = 0., maximum = 0.;
  for (const double p : probability) {
    below = std::min(1., below + p);
    maximum += 1. - std::pow(below, n);
  }
  return maximum;
}

/// Distribution of the random part of the iterations of `items` work items, one after the other.
inline std::vector<double> variable_part(const TripCount& trips, int items) {
  if (trips.poisson > 0. && !trips.histogram.empty())
    throw UsageError("trip count", "both a Poisson part and a histogram", {}, "choose one");
  const double length = items * (trips.poisson + double(trips.histogram.size()));
  if (!(length < max_distribution))
    throw UsageError("trip count", "the distribution is too long",
                     std::to_string(length) + " iterations", "give the efficiency instead");
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

/// Returns the mean number of iterations.
/// @throws UsageError if there are a Poisson part and a histogram, if a weight is negative or not
/// finite, if all are 0, or if the distribution is longer than 1e5 iterations
inline double mean(const TripCount& trips) {
  return trips.fixed + detail::mean_of(detail::variable_part(trips, 1));
}

/// Returns the mean fraction of busy lanes in a group of `lanes` lanes in lock step (32 in a warp),
/// \f[ \eta = \frac{E[n]}{E[\max_W n]}, \qquad E[\max_W n] = \sum_{k\ge 0}\bigl(1-F(k)^W\bigr), \f]
/// where \f$n\f$ is the number of iterations with the cumulative distribution \f$F\f$, and \f$W\f$
/// the number of lanes. In a flattened loop a lane continues with its next work item at once, with
/// `items_per_lane` of them in all, and waits for the others only at the end. It is 1 for one lane.
/// @throws UsageError if `lanes` or `items_per_lane` is below 1, or as mean() for the distribution
inline double lock_step_efficiency(const TripCount& trips, int lanes, int items_per_lane = 1) {
  if (lanes < 1 || items_per_lane < 1)
    throw UsageError("lock_step_efficiency", "lanes and work items per lane start at 1",
                     std::to_string(lanes) + " and " + std::to_string(items_per_lane));
  if (lanes == 1 || !trips.varies()) return 1.;
  const auto part = detail::variable_part(trips, items_per_lane);
  const double fixed = items_per_lane * trips.fixed;
  const double longest = fixed + detail::expected_maximum(part, lanes);
  return longest > 0. ? (fixed + detail::mean_of(part)) / longest : 1.;
}

/// Returns 2^-depth, the efficiency by the published rule "halved each time a branch is
/// encountered", for `depth` nested diverging branches.
inline double efficiency_of_nested_branches(double depth) { return std::exp2(-depth); }

/// Returns 1 / branches, but 1 for fewer than one branch: the efficiency if the lanes of a group
/// take that many paths one after the other.
inline double efficiency_of_branch_count(double branches) { return 1. / std::max(1., branches); }

}  // namespace trackplex::perfmodel
