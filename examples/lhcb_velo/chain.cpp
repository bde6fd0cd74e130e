// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "chain.hpp"

#include <trackplex/lhcb/velo/velo_chain.hpp>

namespace lhcb_velo {

template <class Real, class ExecutionSpace>
Calls calls_of(const trackplex::program::Run<Real, ExecutionSpace>& run,
               const trackplex::lhcb::TripletParams& parameters) {
  return trackplex::program::chain_calls(
      run, [=](auto lanes, const ExecutionSpace& exec, const trackplex::chain::ArenaSize& arena) {
        return trackplex::lhcb::velo_chain<Real, ExecutionSpace, lanes()>(exec, parameters, arena);
      });
}

template Calls calls_of(const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                        const trackplex::lhcb::TripletParams&);

}  // namespace lhcb_velo
