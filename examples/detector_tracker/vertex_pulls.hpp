// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pulls.hpp"
#include "states.hpp"

#include <common/program.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

/// Pulls of tracks without those of broken errors.
class TrimmedPulls : public ParameterPulls {
 public:
  std::uint64_t count = 0;  ///< tracks

  TrimmedPulls(std::span<const ParameterName> names, std::string place)
      : ParameterPulls(names, 4.), place_(std::move(place)) {}

  /// Adds the differences of a track to its truth. Returns false, and skips the track, if a
  /// variance is not positive.
  bool add(std::span<const double> differences, std::span<const double> variances);
  /// Adds table and plot to text and plots.
  void write(program::Program& p) const;

 private:
  std::string place_;
};

/// Pulls and resolution of tracks on the planes of their true vertices.
class VertexPulls : public TrimmedPulls {
 public:
  static constexpr std::size_t of_momentum = 3;  ///< the first parameters

  VertexPulls() : TrimmedPulls(names, "vertex") {}

  /// Compares a track with the truth, whose covariance does not matter. Returns false, and skips
  /// the track, if a variance is not positive.
  bool add(const State& truth, const State& found);
  /// Adds a table of the pulls, a line with the resolution, which is also a result, and a plot.
  void write(program::Program& p) const;

 private:
  static constexpr std::array<ParameterName, parameters_on_plane> names{
      {{"inverse_pt", "1/pT"}, {"phi", "phi"}, {"theta", "theta"}, {"d0", "d0"}, {"z0", "z0"}}};

  std::vector<double> pt_, across_, along_;  ///< relative; um
};

}  // namespace detector_tracker
