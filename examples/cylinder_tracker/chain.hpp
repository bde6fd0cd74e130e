// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/chain_calls.hpp>
#include <trackplex/cylinder/result.hpp>
#include <trackplex/cylinder/tracking_chain.hpp>
#include <trackplex/seeding/tracking_events.hpp>

namespace cylinder_tracker {

/// Each event is a list of one.
using Calls = trackplex::program::ChainCalls<trackplex::seeding::TrackingEvents,
                                             trackplex::cylinder::CylinderResult>;

/// The chain for cylinders. Compiled once per backend and number type, in chain.cpp.
template <class Real, class ExecutionSpace>
Calls calls_of(const trackplex::program::Run<Real, ExecutionSpace>& run,
               const trackplex::cylinder::TrackingParams& params);

}  // namespace cylinder_tracker
