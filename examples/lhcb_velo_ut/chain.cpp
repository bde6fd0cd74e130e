// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "chain.hpp"

namespace lhcb_velo_ut {

template <class Event, class Real, class ExecutionSpace>
program::ChainCalls<Event, ResultOf<Event>> calls_of(const program::Run<Real, ExecutionSpace>& run,
                                                     const lhcb::TracksParams& parameters,
                                                     const lhcb::Detector& detector,
                                                     bool all_steps) {
  const auto* const described = &detector;  // not copied; the chain of the VELO does not need it
  auto calls = program::chain_calls(run, [=](auto lanes, const ExecutionSpace& exec,
                                             const chain::ArenaSize& arena) {
    if constexpr (is_velo<Event>) {
      return lhcb::velo_chain<Real, ExecutionSpace, lanes()>(exec, parameters.velo_ut.velo, arena);
    } else {
      auto tracks =
          lhcb::tracks_chain<Real, ExecutionSpace, lanes()>(exec, *described, parameters, arena);
      if (!all_steps) tracks.select(lhcb::velo_ut_steps);
      return tracks;
    }
  });
  if (!is_velo<Event> && !all_steps) calls.listing.default_steps = lhcb::velo_ut_steps;
  return calls;
}

using Run = program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>;
template program::ChainCalls<lhcb::VeloEvent, lhcb::VeloResult> calls_of<lhcb::VeloEvent>(
    const Run&, const lhcb::TracksParams&, const lhcb::Detector&, bool);
template program::ChainCalls<lhcb::RawEvent, lhcb::TracksResult> calls_of<lhcb::RawEvent>(
    const Run&, const lhcb::TracksParams&, const lhcb::Detector&, bool);

}  // namespace lhcb_velo_ut
