// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/chain_calls.hpp>
#include <trackplex/lhcb/velo/triplet_params.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo/velo_results.hpp>

namespace lhcb_velo {

using Calls =
    trackplex::program::ChainCalls<trackplex::lhcb::VeloEvent, trackplex::lhcb::VeloResult>;

/// The chain of the VELO. Compiled once per backend and number type, in chain.cpp.
template <class Real, class ExecutionSpace>
Calls calls_of(const trackplex::program::Run<Real, ExecutionSpace>& run,
               const trackplex::lhcb::TripletParams& parameters);

}  // namespace lhcb_velo
