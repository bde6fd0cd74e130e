// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/vertexing/vertex_params.hpp>

#include <cmath>
#include <string>

namespace trackplex::vertexing {

TRACKPLEX_INLINE void VertexParams::check() const {
  const auto refuse = [](const char* name, double value, const char* range) {
    throw UsageError("vertex finding", std::string(name) + " is " + shortest(value), range);
  };
  const auto check_finite = [&](const char* name, double value) {
    if (!std::isfinite(value)) refuse(name, value, "it must be finite");
  };
  const auto check_positive = [&](const char* name, double value) {
    if (!(value > 0.) || !std::isfinite(value)) refuse(name, value, "it must be positive");
  };
  check_finite("x of the beam", beam_x);
  check_finite("y of the beam", beam_y);
  check_finite("lower end of the histogram", z_min);
  check_finite("upper end of the histogram", z_max);
  check_positive("width of the bins", bin_width);
  constexpr double max_bins = 1 << 20;
  if (!((z_max - z_min) / bin_width >= 4.) || (z_max - z_min) / bin_width > max_bins)
    refuse("number of bins", (z_max - z_min) / bin_width, "it must be from 4 to 2^20");
  check_positive("largest distance of a track", max_track_radius);
  check_positive("largest standard deviation of z", max_sigma_z);
  check_positive("lowest density", min_density);
  check_positive("lowest density of a peak", min_peak_density);
  check_positive("smallest dip", min_dip);
  check_positive("smallest number of tracks of a peak", min_peak_tracks);
  check_positive("largest distance of a track along z", max_track_z);
  check_positive("cut on chi2", chi2_cut);
  check_positive("tolerance", tolerance);
  check_positive("smallest weight", min_weight);
  check_positive("largest distance of a vertex", max_radius);
  check_positive("smallest separation", min_separation);
  if (max_iterations < 1) refuse("number of iterations", max_iterations, "it must be 1 or more");
  if (max_vertices < 1 || max_vertices > 4096)
    refuse("number of vertices", max_vertices, "it must be from 1 to 4096");
}

}  // namespace trackplex::vertexing
