// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "chain.hpp"

namespace cylinder_tracker {

template <class Real, class ExecutionSpace>
Calls calls_of(const trackplex::program::Run<Real, ExecutionSpace>& run,
               const trackplex::cylinder::TrackingParams& params) {
  return trackplex::program::chain_calls(run, [=](auto lanes, const ExecutionSpace& exec,
                                                  trackplex::chain::ArenaSize arena) {
    arena.pinned /= 2;  // hits and results are less than what kernels work on
    return trackplex::cylinder::tracking_chain<Real, ExecutionSpace, lanes()>(exec, params, arena);
  });
}

template Calls calls_of(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                        const trackplex::cylinder::TrackingParams&);

}  // namespace cylinder_tracker
