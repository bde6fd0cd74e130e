// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Distributions of trip counts, and the efficiency of lanes in lock step, which wait for the
/// longest trip.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace trackplex::perfmodel {

/// Distribution of the number of iterations of a loop: a constant plus a random part, which is
/// Poisson distributed or given by a histogram.
struct TripCount {
  double fixed = 0.;    ///< constant part
  double poisson = 0.;  ///< mean of a Poisson distributed part; 0: none
  /// Weights of 0, 1, 2, ... further iterations, with any positive sum; empty: none. Cannot
  /// be combined with `poisson`.
  std::vector<double> histogram{};

  /// Whether there is a random part.
  bool varies() const { return poisson > 0. || !histogram.empty(); }
  /// Whether all members are equal.
  friend bool operator==(const TripCount&, const TripCount&) = default;
};

namespace detail {

/// Max iterations of all work items of a lane; a longer distribution would take too much time.
inline constexpr double max_distribution = 1e5;

/// Non-negligible probabilities of 0, 1, 2, ... of a Poisson distribution.
std::vector<double> poisson_weights(double mean);

/// Normalised to 1.
std::vector<double> probabilities(std::vector<double> weights);

double mean_of(const std::vector<double>& probability);

/// E[largest of n] = sum over k of 1 - F(k)^n.
double expected_maximum(const std::vector<double>& probability, double n);

/// Distribution of the random part of the iterations of `items` work items, one after the other.
std::vector<double> variable_part(const TripCount& trips, int items);

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
/// the number of lanes. In a flattened loop a lane continues immediately with its next work item,
/// `items_per_lane` items in all, and waits for the others only at the end. The fraction is 1 for
/// one lane.
/// @throws UsageError if `lanes` or `items_per_lane` is below 1, or as mean() for the distribution
double lock_step_efficiency(const TripCount& trips, int lanes, int items_per_lane = 1);

/// Returns 2^-depth, the efficiency by the published rule "halved each time a branch is
/// encountered", for `depth` nested diverging branches.
inline double efficiency_of_nested_branches(double depth) { return std::exp2(-depth); }

/// Returns 1 / branches, or 1 for fewer than one branch: the efficiency if the lanes of a group
/// take that many paths one after the other.
inline double efficiency_of_branch_count(double branches) { return 1. / std::max(1., branches); }

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/trip_count.impl.hpp>
#endif
