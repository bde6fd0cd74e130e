// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Events and tracks turned about the z axis.

#include <trackplex/geometry/vector.hpp>
#include <trackplex/kalman/track_model.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <vector>

namespace trackplex::test {

/// Angles of turns: a small one, half a turn, and one across the seam at pi.
inline constexpr std::array turns{std::numbers::pi / 7., std::numbers::pi, -3.};

inline geometry::Vector3<double> turned(const geometry::Vector3<double>& v, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{c * v(0) - s * v(1), s * v(0) + c * v(1), v(2)}};
}

/// The azimuth is not wrapped.
inline kalman::Parameters<double> turned(const kalman::Parameters<double>& state, double angle) {
  auto result = state;
  const auto at = turned(geometry::Vector3<double>{{state(0), state(1), state(2)}}, angle);
  result(0) = at(0);
  result(1) = at(1);
  result(kalman::Parameter::phi) += angle;
  return result;
}

inline std::vector<tracks::TrueParticle> turned(std::vector<tracks::TrueParticle> particles,
                                                double angle) {
  for (auto& particle : particles) particle.start = turned(particle.start, angle);
  return particles;
}

/// Checks that a state is the expected one, turned: x and y within `across` cm, the other
/// parameters within a fraction of their standard deviations.
inline void check_turned(const kalman::TrackState<double>& state,
                         const kalman::TrackState<double>& expected, double angle, double across,
                         double fraction) {
  using Catch::Matchers::WithinAbs;
  const auto off = kalman::difference<kalman::CentralTrack>(state.parameters,
                                                            turned(expected.parameters, angle));
  CHECK(state.charge == expected.charge);
  for (int i = 0; i < 2; ++i) CHECK_THAT(off(i), WithinAbs(0., across));
  for (int i = 2; i < 6; ++i) {
    const double variance = expected.covariance(i, i);
    CHECK_THAT(off(i), WithinAbs(0., fraction * std::sqrt(variance)));
    CHECK_THAT(state.covariance(i, i), WithinAbs(variance, fraction * variance));
  }
}

/// The numbers of tracks in the order of their hits: that in which they are found depends on the
/// bins of the azimuth.
template <class Tracks>
std::vector<std::size_t> by_hits(const Tracks& tracks) {
  std::vector<std::size_t> order(tracks.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(tracks.hits_of(a), tracks.hits_of(b));
  });
  return order;
}

}  // namespace trackplex::test
