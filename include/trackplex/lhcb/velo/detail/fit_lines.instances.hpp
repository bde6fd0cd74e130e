// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of fits of straight lines.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/velo/fit_lines.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FitLines {
  using Real = LanesOf<T, Width>;
  using Fit = lhcb::detail::FitLines<Real, lhcb::VeloHits<T, Memory>, lhcb::VeloTracks<Memory>,
                                     lhcb::LineStates<T, Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIT_LINES_INSTANCES(PREFIX, T, W) TRACKPLEX_TEAMS(PREFIX, FitLines, T, W, Fit)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIT_LINES, general, float)
}  // namespace trackplex
