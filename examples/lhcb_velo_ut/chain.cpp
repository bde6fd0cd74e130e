// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "chain.hpp"

namespace lhcb_velo_ut {

template <class Event, class Real, class ExecutionSpace>
program::ChainCalls<Event, ResultOf<Event>> calls_of(const program::Run<Real, ExecutionSpace>& run,
                                                     const lhcb::VeloUtParams& parameters,
                                                     const lhcb::Detector& detector) {
  return program::chain_calls(run, [=, &detector](auto lanes, const ExecutionSpace& exec,
                                                  const chain::ArenaSize& arena) {
    if constexpr (is_velo<Event>)
      return lhcb::velo_chain<Real, ExecutionSpace, lanes()>(exec, parameters.velo, arena);
    else
      return lhcb::velo_ut_chain<Real, ExecutionSpace, lanes()>(exec, detector, parameters, arena);
  });
}

using Run = program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>;
template program::ChainCalls<lhcb::VeloEvent, lhcb::VeloResult> calls_of<lhcb::VeloEvent>(
    const Run&, const lhcb::VeloUtParams&, const lhcb::Detector&);
template program::ChainCalls<lhcb::RawEvent, lhcb::VeloUtResult> calls_of<lhcb::RawEvent>(
    const Run&, const lhcb::VeloUtParams&, const lhcb::Detector&);

}  // namespace lhcb_velo_ut
