// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/chain_calls.hpp>
#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/lhcb/velo_results.hpp>
#include <trackplex/seeding/triplet_params.hpp>

namespace lhcb_velo {

using Calls =
    trackplex::program::ChainCalls<trackplex::lhcb::VeloEvent, trackplex::lhcb::VeloResult>;

/// The chain of the VELO. Compiled once per backend and number type, in chain.cpp.
template <class Real, class ExecutionSpace>
Calls calls_of(const trackplex::program::Run<Real, ExecutionSpace>& run,
               const trackplex::seeding::TripletParams& parameters);

}  // namespace lhcb_velo
