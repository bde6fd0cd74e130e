// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Weights of hits in the score of the TrackML challenge, as its organisers publish them
/// (https://github.com/LAL/trackml-library): a hit has the product of a weight of its place in the
/// order of its particle's hits and one of the particle's pT; the weights of an event sum to 1.

#include <trackplex/core/error.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/seeding/tracking_events.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace trackplex::simulation {

/// Parameters of `trackml_weights`.
struct TrackmlWeightParams {
  /// Largest distance of a vertex from the z axis (cm) at which a particle has weights. In the
  /// truth, particles that are made in the beam pipe (1.9 cm) and further outside by interactions
  /// have none; from the vertex alone these cannot be told from decays so far outside, which have
  /// 7 % of the weight of event 1.
  double max_vertex_radius = 1.899;
};

/// Returns the weights of the hits of a particle by their order; they sum to 1. They follow a curve
/// through 10, 8, 6, 5, 3, 3, 3, 5, 6 at equal distances from the first hit to the last one. Fewer
/// than four hits have none; from the 21st on they have none.
inline std::vector<double> trackml_order_weights(int n_hits) {
  constexpr int min_hits = 4, max_hits = 20;
  std::vector<double> weights(std::size_t(std::max(n_hits, 0)), 0.);
  if (n_hits < min_hits) return weights;
  constexpr std::array<double, 9> curve{10., 8., 6., 5., 3., 3., 3., 5., 6.};
  const int n = std::min(n_hits, max_hits);
  double sum = 0.;
  for (int i = 0; i < n; ++i) {
    const double place = 8. * i / (n - 1);
    const int knot = std::min(int(place), 7);
    const auto& from = curve[std::size_t(knot)];
    weights[std::size_t(i)] = from + (place - knot) * (curve[std::size_t(knot) + 1] - from);
    sum += weights[std::size_t(i)];
  }
  for (auto& weight : weights) weight /= sum;
  return weights;
}

/// Returns the weight of a particle by its pT (GeV): 0.2 up to 0.5 GeV, from there linearly to 1 at
/// 3 GeV; 0 below 0.05 GeV.
inline double trackml_momentum_weight(double pt) {
  if (!(pt >= 0.05)) return 0.;
  return 0.2 + 0.8 * std::clamp((pt - 0.5) / 2.5, 0., 1.);
}

/// Returns the weights of the hits of an event. The order of the hits of a particle is that of
/// their distance along z from its vertex.
/// @param particles particles of the event
/// @param particle_of_hit index of the particle of each hit, -1: noise, which has no weight
/// @param z position of each hit along z, cm
/// @param params limits
/// @throws UsageError if the numbers of hits differ, or a particle does not exist
inline std::vector<double> trackml_weights(std::span<const seeding::TrueParticle> particles,
                                           std::span<const std::int32_t> particle_of_hit,
                                           std::span<const double> z,
                                           const TrackmlWeightParams& params = {}) {
  if (particle_of_hit.size() != z.size())
    throw UsageError("trackml_weights", "the numbers of hits differ",
                     std::to_string(particle_of_hit.size()) + " and " + std::to_string(z.size()));
  std::vector<std::vector<std::int32_t>> hits(particles.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const auto particle = particle_of_hit[i];
    if (particle < -1 || particle >= std::int32_t(particles.size()))
      throw UsageError("trackml_weights", "there is no such particle", std::to_string(particle));
    if (particle >= 0) hits[std::size_t(particle)].push_back(std::int32_t(i));
  }
  std::vector<double> weights(z.size(), 0.);
  for (std::size_t p = 0; p < particles.size(); ++p) {
    const auto& start = particles[p].start;
    if (start(0) * start(0) + start(1) * start(1) >
        params.max_vertex_radius * params.max_vertex_radius)
      continue;
    const auto distance = [&](std::int32_t hit) {
      return std::abs(z[std::size_t(hit)] - start(2));
    };
    stable_sort(hits[p], [&](auto a, auto b) { return distance(a) < distance(b); });
    const auto order = trackml_order_weights(int(hits[p].size()));
    const double pt = trackml_momentum_weight(1. / start(kalman::Parameter::inverse_pt));
    for (std::size_t i = 0; i < order.size(); ++i) weights[std::size_t(hits[p][i])] = pt * order[i];
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.);
  if (sum > 0.)
    for (auto& weight : weights) weight /= sum;
  return weights;
}

}  // namespace trackplex::simulation
