// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace trackplex::validation {

/// Precision of the momenta of particles with true momenta in a range. Errors are (p - true
/// p)/(true p).
struct MomentumBin {
  double min_p = 0.;          ///< least true momentum, MeV
  double max_p = 0.;          ///< true momenta are below, MeV; infinity in the last bin
  std::uint64_t pairs = 0;    ///< number of tracks with their particles
  double bias = 0.;           ///< median of the errors; 0 without tracks
  double resolution = 0.;     ///< half width around the median that contains 68 % of the errors
  std::uint64_t charges = 0;  ///< pairs whose true charge is known
  std::uint64_t right_charges = 0;  ///< those where the track has it, too

  /// Compares all members.
  friend bool operator==(const MomentumBin&, const MomentumBin&) = default;
};

/// Precision of all momenta.
MomentumBin momentum_resolution(std::span<const MomentumPair> pairs);

/// Precision of momenta in bins of the true momentum between ascending edges (MeV), and above the
/// last one.
std::vector<MomentumBin> momentum_bins(std::span<const MomentumPair> pairs,
                                       std::span<const double> edges);

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/momentum_resolution.impl.hpp>
#endif
