// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "cylinder_chain.hpp"

namespace detector_tracker {

template <class Real, class ExecutionSpace>
CylinderCalls cylinder_calls(const trackplex::program::Run<Real, ExecutionSpace>& run,
                             const trackplex::cylinder::TrackingParams& params) {
  return trackplex::program::chain_calls(run, [=](auto lanes, const ExecutionSpace& exec,
                                                  trackplex::chain::ArenaSize arena) {
    arena.pinned /= 2;  // hits and results are less than what kernels work on
    return trackplex::cylinder::tracking_chain<Real, ExecutionSpace, lanes()>(exec, params, arena);
  });
}

template CylinderCalls cylinder_calls(
    const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
    const trackplex::cylinder::TrackingParams&);

}  // namespace detector_tracker
