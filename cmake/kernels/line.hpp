// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Particles through a beam line.

#include "declare.hpp"

#include <trackplex/beam/line_tracker.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct Line {
  using Real = LanesOf<T, Width>;
  using KernelVariant = beam::detail::KernelVariant;
  using Steps = typename beam::detail::TypesOf<beam::With<>>::Steps;
  template <KernelVariant variant>
  using Track = beam::detail::TrackSegment<Real, Steps, variant>;
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

#define TRACKPLEX_LINE_KERNELS(TEAMS, TILES, T, W) \
  TILES(Line, T, W, TrackShort)                    \
  TILES(Line, T, W, TrackLosses)                   \
  TILES(Line, T, W, TrackGeneral)                  \
  TILES(Line, T, W, PassDrift)                     \
  TILES(Line, T, W, PassQuadrupole)                \
  TILES(Line, T, W, PassMidplane)                  \
  TILES(Line, T, W, PassDense)

namespace trackplex {
TRACKPLEX_DECLARE_KERNELS(LINE, beam_tracking, double)
}  // namespace trackplex
