// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the tracking of particles through a beam line.

#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/core/kernel_instances.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct Line {
  using Real = LanesOf<T, Width>;
  using KernelVariant = beam::KernelVariant;
  using Steps = typename beam::detail::TypesOf<beam::ElementTypes<>>::Steps;
  template <KernelVariant variant>
  using Track = beam::TrackSegment<Real, Steps, variant>;
  template <class Pattern>
  using Map = beam::detail::PassMap<Real, Pattern>;

  using TrackShort = Track<KernelVariant::short_steps>;
  using TrackLosses = Track<KernelVariant::losses>;
  using TrackGeneral = Track<KernelVariant::general>;
  using PassDrift = Map<beam::patterns::Drift>;
  using PassQuadrupole = Map<beam::patterns::Quadrupole>;
  using PassMidplane = Map<beam::patterns::Midplane>;
  using PassDense = Map<beam::patterns::Dense>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_LINE_TRACKER_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TILES(PREFIX, Line, T, W, TrackShort)      \
  TRACKPLEX_TILES(PREFIX, Line, T, W, TrackLosses)     \
  TRACKPLEX_TILES(PREFIX, Line, T, W, TrackGeneral)    \
  TRACKPLEX_TILES(PREFIX, Line, T, W, PassDrift)       \
  TRACKPLEX_TILES(PREFIX, Line, T, W, PassQuadrupole)  \
  TRACKPLEX_TILES(PREFIX, Line, T, W, PassMidplane)    \
  TRACKPLEX_TILES(PREFIX, Line, T, W, PassDense)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(LINE_TRACKER, beam_tracking, double)
}  // namespace trackplex
