// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the generation of bunches.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/simulation/bunch_generator.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct BunchGenerator {
  using Real = LanesOf<double, (Width == 1 ? 1 : default_lane_width<Memory, double>)>;
  using Draw = simulation::detail::DrawParticles<Real, T>;
  using Transform = simulation::detail::TransformParticles<Real, T>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_BUNCH_GENERATOR_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TILES(PREFIX, BunchGenerator, T, W, Draw)     \
  TRACKPLEX_TILES(PREFIX, BunchGenerator, T, W, Transform)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(BUNCH_GENERATOR, general, double)
}  // namespace trackplex
