// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "states.hpp"

#include <common/plots.hpp>
#include <common/report.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace detector_tracker {

/// Pulls, without those of broken errors.
struct TrimmedPulls {
  static constexpr double most = 4.;  ///< standard deviations
  trackplex::program::PullHistogram within;
  std::uint64_t beyond = 0;

  void add(double pull);
  trackplex::program::Json to_json() const;
};

/// Pulls and resolution of tracks on the planes of their true vertices.
class VertexPulls {
 public:
  static constexpr int size = 5,  ///< number of parameters on a plane
      of_momentum = 3;            ///< of these the first ones
  static constexpr std::array<const char*, size> keys{"inverse_pt", "phi", "theta", "d0", "z0"};

  /// Compares a track with the truth, whose covariance does not matter. Returns false, and skips
  /// the track, if a variance is not positive.
  bool add(const State& truth, const State& found);

  /// Number of tracks.
  std::uint64_t count() const { return count_; }
  /// Pulls of the parameters from the first to the last.
  trackplex::program::Json to_json(int first, int last) const;
  /// Widths of the distributions of found minus true values.
  trackplex::program::Json resolution() const;
  /// Table of the pulls, and a line with the resolution.
  std::string text() const;
  trackplex::program::Json plot() const;

 private:
  std::uint64_t count_ = 0;
  std::array<TrimmedPulls, size> pulls_;
  std::vector<double> pt_, across_, along_;  ///< relative; um
};

}  // namespace detector_tracker
