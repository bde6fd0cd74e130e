// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/vertexing/vertex_params.hpp>

#include <cstdint>

namespace trackplex::vertexing::detail {

/// Content of the histogram of one track: contents are integers, so that their sums do not depend
/// on an order.
inline constexpr int histogram_unit = 1 << 16;

/// VertexParams as kernels use them; densities are contents of a bin.
template <class T>
struct VertexCuts {
  T beam_x, beam_y;
  T z_min, z_max, bin_width;
  T max_track_radius2, max_variance_z;
  T max_track_z;
  T outlier;  ///< exp(-chi2_cut/2)
  T tolerance, min_weight, max_radius2, min_separation2;
  int bins, min_content, min_peak, min_dip;
  std::int64_t min_peak_sum;
  int max_iterations, max_vertices;

  explicit VertexCuts(const VertexParams& p)
      : beam_x(T(p.beam_x)),
        beam_y(T(p.beam_y)),
        z_min(T(p.z_min)),
        z_max(T(p.z_max)),
        bin_width(T(p.bin_width)),
        max_track_radius2(T(p.max_track_radius * p.max_track_radius)),
        max_variance_z(T(p.max_sigma_z * p.max_sigma_z)),
        max_track_z(T(p.max_track_z)),
        outlier(T(trackplex::exp(-0.5 * p.chi2_cut))),
        tolerance(T(p.tolerance)),
        min_weight(T(p.min_weight)),
        max_radius2(T(p.max_radius * p.max_radius)),
        min_separation2(T(p.min_separation * p.min_separation)),
        bins(p.bins()),
        min_content(content(p.min_density * p.bin_width)),
        min_peak(content(p.min_peak_density * p.bin_width)),
        min_dip(content(p.min_dip * p.bin_width)),
        min_peak_sum(std::int64_t(p.min_peak_tracks * histogram_unit)),
        max_iterations(p.max_iterations),
        max_vertices(p.max_vertices) {}

 private:
  static int content(double tracks) {
    constexpr double most = 1 << 30;
    const double value = tracks * histogram_unit;
    return value < 1. ? 1 : int(value < most ? value : most);
  }
};

}  // namespace trackplex::vertexing::detail
