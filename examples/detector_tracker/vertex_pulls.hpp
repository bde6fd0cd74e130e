// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "parameter_pulls.hpp"
#include "states.hpp"

#include <common/report.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace detector_tracker {

/// Pulls and resolution of tracks on the planes of their true vertices.
class VertexPulls {
 public:
  static constexpr int size = 5,  ///< number of parameters on a plane
      of_momentum = 3;            ///< of these the first ones

  /// Compares a track with the truth, whose covariance does not matter. Returns false, and skips
  /// the track, if a variance is not positive.
  bool add(const State& truth, const State& found);

  /// Number of tracks.
  std::uint64_t count() const { return pulls_.count(); }
  /// Pulls of the parameters from the first to the last.
  trackplex::program::Json to_json(int first, int last) const {
    return pulls_.to_json(std::size_t(first), std::size_t(last));
  }
  /// Widths of the distributions of found minus true values.
  trackplex::program::Json resolution() const;
  /// Table of the pulls, and a line with the resolution.
  std::string text() const;
  trackplex::program::Json plot() const { return pulls_.plot(); }

 private:
  static constexpr std::array<ParameterName, size> names{
      {{"inverse_pt", "1/pT"}, {"phi", "phi"}, {"theta", "theta"}, {"d0", "d0"}, {"z0", "z0"}}};

  ParameterPulls pulls_{names, "vertex"};
  std::vector<double> pt_, across_, along_;  ///< relative; um
};

}  // namespace detector_tracker
