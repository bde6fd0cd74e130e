// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the sums of phases after the turns of a ring.

#include <trackplex/beam/optics/betatron_tunes.hpp>
#include <trackplex/core/kernel_instances.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct BetatronTunes {
  using Real = LanesOf<T, Width>;
  using Phases = beam::detail::SumPhases<Real>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_BETATRON_TUNES_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TILES(PREFIX, BetatronTunes, T, W, Phases)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(BETATRON_TUNES, beam_tracking, double)
}  // namespace trackplex
