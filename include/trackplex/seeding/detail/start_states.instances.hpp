// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the start of tracks on cylinders.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/kalman/track_states.hpp>
#include <trackplex/seeding/start_states.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct StartStates {
  using Real = LanesOf<T, Width>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;
  template <class Layers>
  using Start =
      seeding::detail::StartStates<Real, Layers, hits::LayerHits<T, Memory>,
                                   tracks::TrackHits<Memory>, kalman::BasicUniformField<T>, States>;

  using Here = Start<seeding::detail::TheseLayers>;
  using Anywhere = Start<seeding::detail::FirstMiddleLast>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_START_STATES_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TILES(PREFIX, StartStates, T, W, Here)     \
  TRACKPLEX_TILES(PREFIX, StartStates, T, W, Anywhere)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(START_STATES, track_states, float)
}  // namespace trackplex
