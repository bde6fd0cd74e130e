// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/description.hpp>
#include <trackplex/simulation/detail/check_range.hpp>
#include <trackplex/simulation/detector_generator_params.hpp>

namespace trackplex::simulation {

TRACKPLEX_INLINE void DetectorGeneratorParams::check() const {
  const auto range = [](const char* name, double value, double low, double high) {
    detail::check_range("detector events", name, value, low, high);
  };
  range("particle_mass", particle_mass, 1e-3, 1e3);
  range("efficiency", efficiency, 0., 1.);
  range("noise_fraction", noise_fraction, 0., 0.99);
  range("noise_with_occupancy", noise_with_occupancy, 0., 1.);
  range("noise_on_disks", noise_on_disks, 0., 1e3);
  range("energy_loss_factor", energy_loss_factor, 0., 100.);
  range("interactions_per_radiation_length", interactions_per_radiation_length, 0., 1e6);
  range("max_step", max_step, 1e-3, 100.);
  range("max_path", max_path, 0., 1e7);
  range("max_turn", max_turn, 0., 1e6);
  range("min_pt", min_pt, 0., 1e6);
  range("min_momentum", min_momentum, 1e-6, 1e6);
}

}  // namespace trackplex::simulation
