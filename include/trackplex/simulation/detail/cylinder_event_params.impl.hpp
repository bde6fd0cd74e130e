// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/cylinder_event_params.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>
#include <trackplex/simulation/detail/check_range.hpp>

#include <limits>

namespace trackplex::simulation {

TRACKPLEX_INLINE double CylinderEventParams::noise_half_length(int layer) const {
  const double e = trackplex::exp(particles.max_abs_eta);
  return particles.radius(layer) * 0.5 * (e - 1. / e) + 5. * particles.vertex_sigma_z;
}

TRACKPLEX_INLINE void CylinderEventParams::check() const {
  const auto check_range = [](const char* quantity, double value, double lowest, double highest) {
    detail::check_range("simulated events in cylinders", quantity, value, lowest, highest);
  };
  const auto& p = particles;
  check_range("number of layers", p.layers, 1, 1000);
  check_range("radius of the first layer", p.first_radius, 1e-3, 1e4);
  check_range("distance of the layers", p.spacing, 1e-3, 1e4);
  check_range("least transverse momentum", p.min_pt, 1e-3, 1e4);
  check_range("largest transverse momentum", p.max_pt, p.min_pt, 1e4);
  check_range("largest pseudorapidity", p.max_abs_eta, 0., 6.);
  check_range("width of the vertices", p.vertex_sigma_xy, 0., 100.);
  check_range("length of the vertices", p.vertex_sigma_z, 0., 1e4);
  check_range("error along r phi", p.sigma_r_phi, 0., 10.);
  check_range("error along z", p.sigma_z, 0., 100.);
  check_range("error along r", p.sigma_r, 0., 10.);
  check_range("number of tracks", tracks, 0, std::numeric_limits<int>::max() / p.layers - 64);
  check_range("inefficiency", inefficiency, 0., 1.);
  check_range("noise per layer", noise_per_layer, 0., 1e6);
}

}  // namespace trackplex::simulation
