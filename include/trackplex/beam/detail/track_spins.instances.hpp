// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the tracking of particles with spins through a beam line.

#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/kernel_instances.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct SpinLine {
  using Real = LanesOf<T, Width>;
  using Steps = typename beam::detail::TypesOf<beam::ElementTypes<>>::Steps;
  using Spins = beam::TrackSpins<Real, Steps>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_TRACK_SPINS_INSTANCES(PREFIX, T, W) TRACKPLEX_TILES(PREFIX, SpinLine, T, W, Spins)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(TRACK_SPINS, beam_tracking, double)
}  // namespace trackplex
