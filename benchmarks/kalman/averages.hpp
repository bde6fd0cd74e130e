// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "filter.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <vector>

namespace trackplex::benchmarks {

struct MeanAndDeviation {
  double mean = 0., deviation = 0.;
};

/// What the published programs print of the fitted tracks, summed in double precision and in the
/// order of the tracks.
struct Averages {
  MeanAndDeviation x, y, z, r, pt, phi, theta;
  /// (state - hit) / state at the last layer.
  MeanAndDeviation residual_x, residual_y, residual_z;
  std::size_t tracks = 0;
  std::size_t not_finite = 0;  ///< tracks with a parameter that is no finite number
  std::size_t failed = 0;      ///< tracks farther from the last hit than that is from the origin
  std::string hash;            ///< of all bits of all states
};

namespace detail {
/// Mean and standard deviation, in two passes.
inline MeanAndDeviation mean_and_deviation(const std::vector<double>& values) {
  if (values.empty()) return {};
  double sum = 0., squares = 0.;
  for (const double value : values) sum += value;
  const double mean = sum / double(values.size());
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / double(values.size()))};
}
}  // namespace detail

/// Of fitted tracks and the hits of their last layer, `hit_stride` numbers apart.
template <class Real>
Averages averages_of(const std::vector<Real>& tracks, const Real* last_hits,
                     std::size_t hit_stride) {
  Averages result;
  result.tracks = tracks.size() / track_components;
  std::array<std::vector<double>, 10> kept;
  for (auto& values : kept) values.reserve(result.tracks);
  for (std::size_t i = 0; i < result.tracks; ++i) {
    std::array<double, 6> p{};
    bool finite = true;
    for (std::size_t c = 0; c < 6; ++c) {
      p[c] = double(tracks[i * track_components + c]);
      finite = finite && std::isfinite(p[c]);
    }
    if (!finite) {
      ++result.not_finite;
      continue;
    }
    std::array<double, 3> distance{};
    bool failed = false;
    for (std::size_t c = 0; c < 3; ++c) {
      const double hit = double(last_hits[i * hit_stride + c]);
      distance[c] = p[c] - hit;
      failed = failed || std::abs(distance[c]) > std::abs(hit);
    }
    if (failed) {
      ++result.failed;
      continue;
    }
    const std::array<double, 10> numbers = {p[0],
                                            p[1],
                                            p[2],
                                            std::hypot(p[0], p[1]),
                                            1. / p[3],
                                            p[4],
                                            p[5],
                                            distance[0] / p[0],
                                            distance[1] / p[1],
                                            distance[2] / p[2]};
    for (std::size_t c = 0; c < numbers.size(); ++c) kept[c].push_back(numbers[c]);
  }
  MeanAndDeviation* const results[] = {
      &result.x,   &result.y,     &result.z,          &result.r,          &result.pt,
      &result.phi, &result.theta, &result.residual_x, &result.residual_y, &result.residual_z};
  for (std::size_t c = 0; c < kept.size(); ++c) *results[c] = detail::mean_and_deviation(kept[c]);

  Fingerprint hash;
  for (const Real value : tracks)  // the sign and payload of a NaN are not specified
    hash.add(value == value ? value : std::numeric_limits<Real>::quiet_NaN());
  result.hash = hash.hex();
  return result;
}

}  // namespace trackplex::benchmarks
