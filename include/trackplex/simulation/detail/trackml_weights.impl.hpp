// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/simulation/trackml_weights.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace trackplex::simulation {

TRACKPLEX_INLINE std::vector<double> trackml_order_weights(int n_hits) {
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

TRACKPLEX_INLINE double trackml_momentum_weight(double pt) {
  if (!(pt >= 0.05)) return 0.;
  return 0.2 + 0.8 * std::clamp((pt - 0.5) / 2.5, 0., 1.);
}

TRACKPLEX_INLINE std::vector<double> trackml_weights(
    std::span<const tracks::TrueParticle> particles, std::span<const std::int32_t> particle_of_hit,
    std::span<const double> z, const TrackmlWeightParams& params) {
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
