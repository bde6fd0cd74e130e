// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

namespace trackplex::vertexing {

/// Parameters of FindVertices. Lengths are in the unit of the tracks; the defaults are for LHCb's
/// VELO in mm.
struct VertexParams {
  double beam_x = 0.,  ///< x of the beam
      beam_y = 0.;     ///< y of the beam

  // Histogram of z at the beam
  double z_min = -260.,            ///< lower end
      z_max = 260.;                ///< upper end
  double bin_width = 0.25;         ///< width of the bins
  double max_track_radius = 0.32;  ///< of tracks in the histogram: distance from the beam
  double max_sigma_z = 1.5;        ///< of tracks in the histogram: standard deviation of z

  // Peaks
  double min_density = 1. / 15;  ///< tracks per length: below it, a group of bins ends
  double min_peak_density = 1.;  ///< tracks per length in the maximum of a peak
  double min_dip = 1.3;          ///< tracks per length: depth of a dip between two peaks
  double min_peak_tracks = 2.5;  ///< number of tracks of a peak

  // Fit
  double max_track_z = 20.;   ///< distance along z of the tracks of a vertex from its peak
  double chi2_cut = 7.;       ///< chi2 (of two coordinates) where the weight of a track is 1/2
  int max_iterations = 20;    ///< max number of iterations
  double tolerance = 0.0005;  ///< change of z that ends the iterations

  // Selection
  double min_weight = 2.5;     ///< sum of the weights of the tracks of a vertex
  double max_radius = 0.2236;  ///< distance of a vertex from the beam
  double min_separation = 5.;  ///< of two vertices in z, in standard deviations
  int max_vertices = 32;       ///< max number of peaks, and so of vertices, of an event

  /// Number of bins of the histogram.
  int bins() const { return int((z_max - z_min) / bin_width + 0.5); }

  /// Checks all parameters.
  /// @throws UsageError that names the first parameter out of its range
  void check() const;
};

}  // namespace trackplex::vertexing

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/vertexing/detail/vertex_params.impl.hpp>
#endif
