// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the fit of long tracks.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/fit/fit_long_tracks.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FitLongTracks {
  using Real = LanesOf<T, Width>;
  using Fit =
      lhcb::detail::LongTrackFitter<Real, lhcb::LongFitInput<T, Memory>, lhcb::LongFits<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIT_LONG_TRACKS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, FitLongTracks, T, W, Fit)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIT_LONG_TRACKS, general, float)
}  // namespace trackplex
