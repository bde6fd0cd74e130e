// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the moments of a bunch.

#include <trackplex/beam/bunch/sum_moments.hpp>
#include <trackplex/core/kernel_instances.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct SumMoments {
  using Real = LanesOf<double, (Width == 1 ? 1 : default_lane_width<Memory, double>)>;
  using Sample = trackplex::detail::ReduceBlocks<Sum, Real, beam::detail::SampleTerms<Real, T>>;
  using Moments = beam::detail::MomentBlocks<Real, T>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_SUM_MOMENTS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, SumMoments, T, W, Sample)   \
  TRACKPLEX_TEAMS(PREFIX, SumMoments, T, W, Moments)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(SUM_MOMENTS, general, double)
}  // namespace trackplex
