// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the generation of tracks on cylinders.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>

#include <cstdint>

namespace trackplex::kernels {

template <class T, int Width>
struct CylinderTruth {
  using Real = LanesOf<T, Width>;
  using Tracks = simulation::CylinderTracks<T, Memory>;
  using States = ViewOf<kalman::TrackStates<T, Memory>>;

  using Generate = simulation::detail::GenerateCylinderTracks<
      Real, States, ViewOf<Matriplex<T, 6, 1, Memory>>, ViewOf<Matriplex<T, 3, 1, Memory>>,
      ViewOf<SymMatriplex<T, 3, Memory>>, Kokkos::View<std::uint8_t*, Memory>,
      kalman::BasicUniformField<T>>;
  using StartNear =
      simulation::detail::StartNear<Real, ConstViewOf<kalman::TrackStates<T, Memory>>, States>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_CYLINDER_TRACKS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TILES(PREFIX, CylinderTruth, T, W, Generate)  \
  TRACKPLEX_TILES(PREFIX, CylinderTruth, T, W, StartNear)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(CYLINDER_TRACKS, track_states, float)
}  // namespace trackplex
