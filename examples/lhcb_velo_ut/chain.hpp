// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/chain_calls.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/tracks_results.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo/velo_results.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <concepts>
#include <type_traits>

namespace lhcb_velo_ut {

using namespace trackplex;

/// Events of VELO hits give VELO tracks; those of raw banks give tracks through VELO and UT and,
/// if asked for, vertices and SciFi hits.
template <class Event>
inline constexpr bool is_velo = std::same_as<Event, lhcb::VeloEvent>;
template <class Event>
using ResultOf = std::conditional_t<is_velo<Event>, lhcb::VeloResult, lhcb::TracksResult>;

/// The chain for events of this type; the detector, which that of the VELO does not use, outlives
/// the calls. `all_steps`: with vertices and SciFi hits. Compiled once per backend and number type,
/// in chain.cpp.
template <class Event, class Real, class ExecutionSpace>
program::ChainCalls<Event, ResultOf<Event>> calls_of(const program::Run<Real, ExecutionSpace>& run,
                                                     const lhcb::TracksParams& parameters,
                                                     const lhcb::Detector& detector,
                                                     bool all_steps);

}  // namespace lhcb_velo_ut
