// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "chain.hpp"

namespace lhcb_velo_ut {

namespace lhcb = trackplex::lhcb;

template <class Real, class ExecutionSpace>
Calls calls_of(const trackplex::program::Run<Real, ExecutionSpace>& run,
               const lhcb::Detector& detector, const lhcb::VeloUtParams& parameters) {
  return trackplex::program::chain_calls(run, [=, &detector](
                                                  auto lanes, const ExecutionSpace& exec,
                                                  const trackplex::chain::ArenaSize& arena) {
    return lhcb::velo_ut_chain<Real, ExecutionSpace, lanes()>(exec, detector, parameters, arena);
  });
}

template Calls calls_of(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                        const lhcb::Detector&, const lhcb::VeloUtParams&);

}  // namespace lhcb_velo_ut
