// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fitted_track.hpp"

#include <trackplex/program/report.hpp>
#include <trackplex/validation/kolmogorov_smirnov.hpp>
#include <trackplex/validation/pulls.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kalman_fit {

/// The coordinates of a state on a cylinder, in the order of `surface_projection`, with the keys
/// that they have in reports and the names that they have in tables.
struct Coordinate {
  const char* key;
  const char* name;
};
inline constexpr std::array<Coordinate, 5> coordinates{
    {{"r_phi", "r phi"}, {"z", "z"}, {"inverse_pt", "1/pT"}, {"phi", "phi"}, {"theta", "theta"}}};

/// Entries of equal bins, and those outside.
struct Counts {
  double low, high;
  std::vector<std::uint64_t> bins;
  std::uint64_t below = 0, above = 0;

  Counts(double from, double to, std::size_t n) : low(from), high(to), bins(n) {}
  void add(double value);
  double width() const { return (high - low) / double(bins.size()); }
  double center(std::size_t bin) const { return low + (double(bin) + 0.5) * width(); }
};

/// Pulls of one coordinate: their moments and their distribution.
struct PullCounts {
  trackplex::validation::Pulls pulls;
  Counts counts{-5., 5., 50};

  void add(double pull) {
    pulls.add(pull);
    counts.add(pull);
  }
  trackplex::program::Json to_json() const;
};

/// On one layer, after the smoother.
struct LayerPulls {
  std::array<PullCounts, 5> states;
  std::array<PullCounts, 2> residuals;  ///< r phi and z of the hit
};

/// Root mean square of the errors of 1/pT.
struct Resolution {
  std::uint64_t tracks = 0;
  double squares = 0.;           ///< of the errors in 1/GeV
  double relative_squares = 0.;  ///< of error over value

  void add(double fitted, double truth);
  double absolute() const;  ///< 1/GeV
  double relative() const;
  trackplex::program::Json to_json() const;
};

/// In a range of the transverse momentum, GeV.
struct ResolutionBin {
  double low, high;
  Resolution fitted;    ///< at the last layer
  Resolution smoothed;  ///< at the first one
};

/// What the tracks of a run amount to.
class Results {
 public:
  Results(int layers, double min_pt, double max_pt);

  /// Tracks come in the order of their numbers: sums depend on it.
  void add(const FittedTrack& track);

  std::uint64_t tracks = 0;
  std::uint64_t fitted_tracks = 0;  ///< that enter what follows
  std::uint64_t lost = 0;           ///< did not reach the last layer
  std::uint64_t failed = 0;         ///< have a variance that is not positive, or no finite number
  std::uint64_t outliers = 0;       ///< hits that were left out
  double chi2 = 0.;                 ///< sum over tracks
  std::uint64_t degrees_of_freedom = 0;
  Counts probability{0., 1., 1000};    ///< of chi2
  std::array<PullCounts, 5> fitted{};  ///< at the last layer
  std::vector<LayerPulls> smoothed;    ///< on each layer
  Resolution fitted_resolution, smoothed_resolution;
  std::vector<ResolutionBin> resolution;  ///< over the transverse momentum
  std::string hash;                       ///< of all states

  /// Whether the probabilities of chi2 are flat.
  trackplex::validation::KolmogorovSmirnov flatness() const;

  trackplex::program::Json to_json() const;

  /// The tables of pulls and resolution.
  std::string text() const;
};

}  // namespace kalman_fit
