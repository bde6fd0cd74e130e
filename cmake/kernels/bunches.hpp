// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Bunches of particles of T, made and summed up in lanes of double whatever T is.

#include "declare.hpp"

#include <trackplex/beam/sum_moments.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct Bunches {
  using Real = LanesOf<double, (Width == 1 ? 1 : default_lane_width<Memory, double>)>;
  template <class Operation, int components, class Terms>
  using Reduce = trackplex::detail::ReduceBlocks<Operation, Real, components, Terms>;

  using Sample = Reduce<Sum, 1 + beam::n_coordinates, beam::detail::SampleTerms<Real, T>>;
  using Moments = beam::detail::MomentBlocks<Real, T>;
  using Draw = simulation::detail::DrawParticles<Real, T>;
  using Transform = simulation::detail::TransformParticles<Real, T>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_BUNCHES_KERNELS(PREFIX, T, W)   \
  TRACKPLEX_TEAMS(PREFIX, Bunches, T, W, Sample)  \
  TRACKPLEX_TEAMS(PREFIX, Bunches, T, W, Moments) \
  TRACKPLEX_TILES(PREFIX, Bunches, T, W, Draw)    \
  TRACKPLEX_TILES(PREFIX, Bunches, T, W, Transform)

namespace trackplex {
TRACKPLEX_DECLARE_KERNELS(BUNCHES, general, double)
}  // namespace trackplex
