// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <random>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <vector>

namespace trackplex::test {

/// Small VELO events for tests of kernels: straight lines from near the origin through the nominal
/// planes, smeared, and noise. For physics, use simulation::VeloGenerator.
inline lhcb::VeloEvent toy_velo_event(int tracks, int noise, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double a, double b) { return a + (b - a) * (random() / 4294967296.); };
  const auto micrometre = [](double v) { return std::round(v * 1000.) / 1000.; };
  std::array<std::vector<std::array<double, 3>>, lhcb::velo_modules> modules;
  for (int t = 0; t < tracks; ++t) {
    const double tx = uniform(-0.25, 0.25), ty = uniform(-0.25, 0.25), z0 = uniform(-100., 100.);
    for (int m = 0; m < lhcb::velo_modules; ++m) {
      const double z = lhcb::velo_module_z[m] + (random() % 2 ? 0.581 : -0.581);
      const double x = tx * (z - z0), y = ty * (z - z0);
      const bool on_side = m % 2 ? x > -1. : x < 1.;
      if (z < z0 || std::hypot(x, y) < 5. || std::hypot(x, y) > 42. || !on_side) continue;
      modules[m].push_back({micrometre(x + uniform(-0.02, 0.02)),
                            micrometre(y + uniform(-0.02, 0.02)), micrometre(z)});
    }
  }
  for (int i = 0; i < noise; ++i) {
    const int m = int(random() % lhcb::velo_modules);
    const double r = uniform(5., 42.), phi = uniform(-1.6, 1.6);
    modules[m].push_back({micrometre((m % 2 ? 1. : -1.) * r * std::cos(phi)),
                          micrometre(r * std::sin(phi)), micrometre(lhcb::velo_module_z[m])});
  }
  lhcb::VeloEvent event;
  event.name = "toy event " + std::to_string(seed);
  for (int m = 0; m < lhcb::velo_modules; ++m) {
    for (const auto& [x, y, z] : modules[m]) {
      event.x.push_back(x);
      event.y.push_back(y);
      event.z.push_back(z);
    }
    event.module_offsets[m + 1] = std::uint32_t(event.x.size());
  }
  return event;
}

/// Events of many sizes, the empty one included.
inline std::vector<lhcb::VeloEvent> toy_velo_events() {
  std::vector<lhcb::VeloEvent> events;
  int seed = 1;
  for (const int tracks : {0, 1, 5, 40, 0, 150, 400})
    events.push_back(toy_velo_event(tracks, tracks, unsigned(seed++)));
  events.push_back(toy_velo_event(0, 500, unsigned(seed)));
  return events;
}

}  // namespace trackplex::test
