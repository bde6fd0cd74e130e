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
  using Places = beam::detail::MomentPlaces;
  template <class Operation, int components, class Terms>
  using Reduce = trackplex::detail::ReduceBlocks<Operation, Real, components, Terms>;
  template <int components>
  using Blocks = trackplex::detail::BlockTerms<Real, components>;

  using Sample = Reduce<Sum, 1 + beam::n_coordinates, beam::detail::SampleTerms<Real, T>>;
  using Moments = beam::detail::MomentBlocks<Real, T>;
  using CombineSample = Reduce<Sum, 1 + beam::n_coordinates, Blocks<1 + beam::n_coordinates>>;
  using CombineSums = Reduce<Sum, Places::n_sums, Blocks<Places::n_sums>>;
  using CombineMinima = Reduce<Min, Places::n_minima, Blocks<Places::n_minima>>;
  using Draw = simulation::detail::DrawParticles<Real, T>;
  using Transform = simulation::detail::TransformParticles<Real, T>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_BUNCHES_KERNELS(PREFIX, T, W)         \
  TRACKPLEX_TEAMS(PREFIX, Bunches, T, W, Sample)        \
  TRACKPLEX_TEAMS(PREFIX, Bunches, T, W, Moments)       \
  TRACKPLEX_TEAMS(PREFIX, Bunches, T, W, CombineSample) \
  TRACKPLEX_TEAMS(PREFIX, Bunches, T, W, CombineSums)   \
  TRACKPLEX_TEAMS(PREFIX, Bunches, T, W, CombineMinima) \
  TRACKPLEX_TILES(PREFIX, Bunches, T, W, Draw)          \
  TRACKPLEX_TILES(PREFIX, Bunches, T, W, Transform)

namespace trackplex {
TRACKPLEX_DECLARE_KERNELS(BUNCHES, general, double)
}  // namespace trackplex
