// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/builder.hpp>
#include <trackplex/simulation/small_detector.hpp>

#include <string>
#include <utility>
#include <vector>

namespace trackplex::simulation {

TRACKPLEX_INLINE geometry::DetectorDescription small_detector() {
  constexpr double x0 = 9.37;  // of silicon, cm
  const auto sensor = [](double pitch_u, double pitch_v, double silicon) {
    return geometry::SensorParams{.pitch_u = pitch_u,
                                  .pitch_v = pitch_v,
                                  .thickness = 0.03,
                                  .radiation_lengths = silicon / x0};
  };
  const auto pixels = sensor(0.005, 0.005625, 0.15), strips = sensor(0.008, 0.12, 0.2);
  geometry::DetectorBuilder builder;
  int number = 0;
  const auto barrel = [&](double radius, double half_length, int n_phi, int n_z,
                          const geometry::SensorParams& its_sensor) {
    builder.barrel({.name = "barrel " + std::to_string(number++),
                    .radius = radius,
                    .half_length = half_length,
                    .n_phi = n_phi,
                    .n_z = n_z,
                    .overlap = 0.1,
                    .stagger = 0.3,
                    .sensor = its_sensor});
  };
  for (const auto& [radius, n_phi] : {std::pair(3.2, 12), {7.2, 16}, {11.6, 24}, {17.2, 32}})
    barrel(radius, 50., n_phi, 8, pixels);
  for (const auto& [radius, n_phi] : {std::pair(26., 24), {36., 32}, {50., 40}, {66., 48}})
    barrel(radius, 108., n_phi, 4, strips);
  const auto disk = [&](double z, double inner, double outer, std::vector<int> n_phi,
                        const geometry::SensorParams& its_sensor) {
    builder.disk({.name = "disk " + std::to_string(number++),
                  .z = z,
                  .inner = inner,
                  .outer = outer,
                  .n_phi = std::move(n_phi),
                  .overlap = 0.1,
                  .stagger = 0.3,
                  .sensor = its_sensor});
  };
  for (const double side : {-1., 1.}) {
    for (const double z : {60., 82., 112., 150.}) disk(side * z, 3., 17.6, {16, 28}, pixels);
    for (const double z : {122., 155.}) disk(side * z, 24., 70., {24, 32, 40}, strips);
  }
  return builder.build();
}

}  // namespace trackplex::simulation
