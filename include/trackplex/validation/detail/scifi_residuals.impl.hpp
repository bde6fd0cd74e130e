// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/long_track_list.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/matriplex/cholesky.hpp>
#include <trackplex/validation/scifi_residuals.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::validation {

namespace detail {

/// Least-squares fit of a, b, c, e, f to hits of the SciFi.
class ScifiCurve {
 public:
  static constexpr int n = 5;  ///< number of parameters

  ScifiCurve() {
    for (int i = 0; i < n; ++i) {
      right_(i) = 0.;
      for (int j = 0; j <= i; ++j) normal_(i, j) = 0.;
    }
  }

  /// Hit of a track whose y is known roughly: x at y = 0 and its derivatives by the parameters.
  struct Hit {
    double x, weight;
    std::array<double, n> derivatives;

    Hit(const lhcb::ScifiHitList& hits, const lhcb::LongTrack& track, int layer) {
      constexpr double middle = 8520., cubic = -2.8e-4;
      const auto i = std::size_t(track.hits[std::size_t(layer)]);
      const double y = track.y + track.ty * (hits.z[i] - lhcb::scifi_end_z);
      const double dz = hits.z[i] + lhcb::scifi_dzdy * y - middle;
      const double dxdy = lhcb::scifi_dxdy[std::size_t(layer)];
      const double sigma = lhcb::scifi_sigma[hits.cluster_size[i]];
      x = hits.x[i];
      weight = 1. / (sigma * sigma);
      derivatives = {1., dz, dz * dz * (1. + cubic * dz), -dxdy, -dxdy * dz};
    }
  };

  void add(const Hit& hit) {
    const auto& d = hit.derivatives;
    for (int i = 0; i < n; ++i) {
      const double weighted = hit.weight * d[std::size_t(i)];
      right_(i) += weighted * hit.x;
      for (int j = 0; j <= i; ++j) normal_(i, j) += weighted * d[std::size_t(j)];
    }
  }

  /// Returns whether the hits determine the curve.
  bool solve() {
    const Cholesky<double, n> factors(normal_);
    return factors.solve(right_, parameters_);
  }

  /// Distance of a hit from the curve.
  double distance(const Hit& hit) const {
    double x = 0.;
    for (int i = 0; i < n; ++i) x += hit.derivatives[std::size_t(i)] * parameters_(i);
    return hit.x - x;
  }

 private:
  Symmetric<double, n> normal_;
  Vector<double, n> right_, parameters_;
};

/// Module of a hit, 0 next to the beam; modules on the other side of the beam are negative.
inline int scifi_module(std::uint32_t id) {
  const int module = int(id >> 11 & 7u);
  return (id >> 14 & 1u) != 0 ? module : -1 - module;
}

}  // namespace detail

TRACKPLEX_INLINE void ScifiResiduals::add(const lhcb::TracksResult& event) {
  constexpr std::size_t min_hits = 9;
  for (const auto& track : event.long_tracks) {
    std::vector<detail::ScifiCurve::Hit> hits;
    detail::ScifiCurve curve;
    bool crosses = false;
    int last_module = 0;
    for (int layer = 0; layer < lhcb::scifi_layers; ++layer) {
      const int hit = track.hits[std::size_t(layer)];
      if (hit < 0) continue;
      const int hit_module = detail::scifi_module(event.scifi_hits.ids[std::size_t(hit)]);
      crosses = crosses || (!hits.empty() && hit_module != last_module);
      last_module = hit_module;
      curve.add(hits.emplace_back(event.scifi_hits, track, layer));
    }
    if (hits.size() < min_hits || !curve.solve()) continue;
    Sum sum{1, hits.size(), 0., 0.};
    for (const auto& hit : hits) sum.distances += std::abs(curve.distance(hit));
    sum.square = sum.mean() * sum.mean();
    const auto add_to = [&](Sum& total) {
      total.tracks += sum.tracks;
      total.hits += sum.hits;
      total.distances += sum.distances;
      total.square += sum.square;
    };
    add_to(all_);
    if (crosses) add_to(crossing_);
  }
}

}  // namespace trackplex::validation
