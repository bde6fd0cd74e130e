// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/chain_calls.hpp>
#include <trackplex/cylinder/result.hpp>
#include <trackplex/cylinder/tracking_chain.hpp>
#include <trackplex/tracks/tracking_events.hpp>

namespace detector_tracker {

using namespace trackplex;

/// Each event is a list of one.
using CylinderCalls = program::ChainCalls<tracks::TrackingEvents, cylinder::CylinderResult>;

/// The chain for cylinders. Compiled once per backend and number type, in cylinder_chain.cpp.
template <class Real, class ExecutionSpace>
CylinderCalls cylinder_calls(const program::Run<Real, ExecutionSpace>& run,
                             const cylinder::TrackingParams& params);

}  // namespace detector_tracker
