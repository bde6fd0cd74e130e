// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/detail/detector_flight.hpp>
#include <trackplex/simulation/detail/detector_noise.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace trackplex::simulation::detail {

TRACKPLEX_INLINE DetectorNoise::DetectorNoise(const geometry::DetectorDescription& detector,
                                              const DetectorGeneratorParams& params,
                                              const std::vector<TrueHit>& hits)
    : detector_(detector), with_occupancy_(params.noise_with_occupancy), hits_(hits) {
  double area = 0.;
  for (const auto& module : detector.modules) {
    const double along_z = module.frame.normal()(2);
    area += area_of(module.bounds) * (1. + (params.noise_on_disks - 1.) * along_z * along_z);
    area_.push_back(area);
  }
}

TRACKPLEX_INLINE TrueHit DetectorNoise::operator()(RandomStream<double>& random) const {
  const bool by_hit = random.uniform() < with_occupancy_ && !hits_.empty();
  const double place = random.uniform();
  const int module =
      by_hit
          ? hits_[std::min(std::size_t(place * double(n_true_)), n_true_ - 1)].module
          : int(std::upper_bound(area_.begin(), area_.end(), place * area_.back()) - area_.begin());
  const int number = std::min(module, int(area_.size()) - 1);
  const auto [u, v] = place_on(detector_.modules[std::size_t(number)].bounds, random);
  const auto& frame = detector_.modules[std::size_t(number)].frame;
  return {number, u, v, geometry::to_global(frame, geometry::Vector3<double>{u, v, 0.})(2)};
}

TRACKPLEX_INLINE std::array<geometry::Extent, 2> DetectorNoise::box_of(
    const geometry::Bounds& bounds) {
  std::array<geometry::Extent, 2> box;
  for (const auto& [u, v] : bounds.outline()) {
    box[0].add(u);
    box[1].add(v);
  }
  if (bounds.kind == geometry::BoundsKind::annulus) {  // chords cut off parts of it
    const double outer = bounds.size[1];
    box = {geometry::Extent{-outer, outer}, geometry::Extent{-outer, outer}};
  }
  return box;
}

TRACKPLEX_INLINE double DetectorNoise::area_of(const geometry::Bounds& bounds) {
  const auto [a, b, c] = bounds.size;
  return bounds.kind == geometry::BoundsKind::annulus ? (b * b - a * a) * c : 2. * (a + b) * c;
}

TRACKPLEX_INLINE std::array<double, 2> DetectorNoise::place_on(const geometry::Bounds& bounds,
                                                               RandomStream<double>& random) {
  const auto [along_u, along_v] = box_of(bounds);
  for (;;) {
    const double u = random.uniform(along_u.low, along_u.high);
    const double v = random.uniform(along_v.low, along_v.high);
    if (bounds.contains(u, v)) return {u, v};
  }
}

}  // namespace trackplex::simulation::detail
