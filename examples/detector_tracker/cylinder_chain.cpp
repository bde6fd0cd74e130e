// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "cylinder_chain.hpp"

namespace detector_tracker {

template <class Real, class ExecutionSpace>
CylinderCalls cylinder_calls(const program::Run<Real, ExecutionSpace>& run,
                             const cylinder::TrackingParams& params) {
  return program::chain_calls(
      run, [=](auto lanes, const ExecutionSpace& exec, chain::ArenaSize arena) {
        arena.pinned /= 2;  // hits and results are less than what kernels work on
        return cylinder::tracking_chain<Real, ExecutionSpace, lanes()>(exec, params, arena);
      });
}

template CylinderCalls cylinder_calls(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                      const cylinder::TrackingParams&);

}  // namespace detector_tracker
