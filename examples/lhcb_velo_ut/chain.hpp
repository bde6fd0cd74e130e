// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/chain_calls.hpp>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>
#include <trackplex/lhcb/velo_ut_results.hpp>

namespace lhcb_velo_ut {

using trackplex::lhcb::RawEvent;
using trackplex::lhcb::VeloUtResult;
using Calls = trackplex::program::ChainCalls<RawEvent, VeloUtResult>;

/// The chain of VELO and UT; the detector outlives the calls. Compiled once per backend and number
/// type, in chain.cpp.
template <class Real, class ExecutionSpace>
Calls calls_of(const trackplex::program::Run<Real, ExecutionSpace>& run,
               const trackplex::lhcb::Detector& detector,
               const trackplex::lhcb::VeloUtParams& parameters);

}  // namespace lhcb_velo_ut
