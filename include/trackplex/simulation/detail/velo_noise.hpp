// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/detail/velo_flight.hpp>

#include <cstddef>
#include <optional>

namespace trackplex::simulation::detail {

/// A trial place of a noise hit in the VELO; nothing if there is no sensor (15 % of the places).
inline std::optional<Crossing> try_noise_place(Draws& draws) {
  const int pair = static_cast<int>(draws.coarse_uniform() * lhcb::velo_pairs);
  const double from_beam = draws.coarse_uniform();
  const Pair unit = draws.direction();
  constexpr double ratio = lhcb::velo_min_radius / lhcb::velo_max_radius;
  const double r = lhcb::velo_min_radius / (1. - from_beam * (1. - ratio));
  const int first_side = draws.happens(0.5) ? 1 : 0;
  for (const int module : {2 * pair + first_side, 2 * pair + 1 - first_side}) {
    const auto point = lhcb::to_velo_sensor(module, r * unit.first, r * unit.second);
    for (int sensor = 0; sensor < lhcb::velo_sensors_per_module; ++sensor) {
      const auto& active = lhcb::velo_sensors[static_cast<std::size_t>(sensor)];
      if (active.contains(point.u, point.v)) return Crossing{module, sensor, point};
    }
  }
  return {};
}

/// A place of a noise hit in the VELO. The density falls as 1/r^3.
inline Crossing noise_place(Draws& draws) {
  while (true)
    if (const auto place = try_noise_place(draws)) return *place;
}

}  // namespace trackplex::simulation::detail
