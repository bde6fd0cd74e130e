// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/lhcb/tracks_results.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace trackplex::validation {

/// Distances of the SciFi hits of long tracks, across the fibres, from the curves that are fitted
/// to the hits of each track:
///
/// \f[ x(z) = a + b\,\delta + c\,\delta^2(1 + d\,\delta),\quad y(z) = e + f\,\delta,\quad
///     \delta = z - 8520\,\mathrm{mm},\quad d = -2.8\cdot10^{-4}/\mathrm{mm}. \f]
///
/// They need no truth and tell whether the geometry is that of the detector: where modules are not
/// at their places, hits of tracks that cross from one module to another do not fit. (In LHCb's
/// simulated events the mean is 0.09 mm, and 0.16 mm if modules are 1 mm farther apart.) Only
/// tracks with hits in 9 layers and more count.
class ScifiResiduals {
 public:
  /// Number of tracks and hits, and the mean absolute distance of the hits.
  struct Sum {
    std::uint64_t tracks = 0;  ///< number of tracks
    std::uint64_t hits = 0;    ///< number of their hits
    double distances = 0.;     ///< sum of the absolute distances, mm
    double square = 0.;        ///< sum over the tracks of the square of their mean distance, mm^2

    /// Mean absolute distance, mm; 0 without hits.
    double mean() const { return hits > 0 ? distances / double(hits) : 0.; }
    /// Standard deviation of the mean, mm, from the spread of the tracks; 0 for fewer than two.
    double error() const {
      if (tracks < 2) return 0.;
      const double n = double(tracks), variance = square / n - mean() * mean();
      return std::sqrt(std::max(variance, 0.) / (n - 1.));
    }
    /// Compares all members.
    friend bool operator==(const Sum&, const Sum&) = default;
  };
  /// Upper limit of the mean distance of tracks that cross modules, mm, see suspicious().
  static constexpr double max_mean = 0.12;
  /// Min number of tracks that cross modules, see suspicious().
  static constexpr std::uint64_t min_tracks = 20;

  /// Adds the long tracks of an event.
  void add(const lhcb::TracksResult& event);

  const Sum& all() const { return all_; }            ///< All tracks.
  const Sum& crossing() const { return crossing_; }  ///< Tracks with hits in different modules.

  /// Whether the distances say that the geometry is not that of the events: enough tracks cross
  /// modules, and their mean distance is above the limit by two standard deviations.
  bool suspicious() const {
    return crossing_.tracks >= min_tracks && crossing_.mean() - 2. * crossing_.error() > max_mean;
  }

 private:
  Sum all_, crossing_;
};

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/scifi_residuals.impl.hpp>
#endif
