// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "setup.hpp"
#include "telescope.hpp"

#include <common/chain_calls.hpp>
#include <trackplex/detector/track_list.hpp>
#include <trackplex/hits/detector_hits.hpp>

namespace detector_tracker {

using Tracks = detector::TrackList<>;
using ForwardTracks = detector::TrackList<kalman::ForwardTrack>;

/// Each event is a list of one.
using FinderCalls = program::ChainCalls<hits::HostDetectorHits, Tracks>;
using TelescopeCalls = program::ChainCalls<hits::HostDetectorHits, ForwardTracks>;

/// The chain for a detector with another finder than its own; the setup must outlive the calls.
/// Compiled once per backend and number type, in find.cpp.
template <class Real, class ExecutionSpace>
FinderCalls finder_calls(const program::Run<Real, ExecutionSpace>& run, const Setup& setup,
                         const detector::TrackFinderParams<>& finder);
/// The same with its own finder.
template <class Real, class ExecutionSpace>
FinderCalls finder_calls(const program::Run<Real, ExecutionSpace>& run, const Setup& setup) {
  return finder_calls(run, setup, setup.finder);
}
/// The chain for the telescope, in find_telescope.cpp.
template <class Real, class ExecutionSpace>
TelescopeCalls finder_calls(const program::Run<Real, ExecutionSpace>& run,
                            const Telescope& telescope);

}  // namespace detector_tracker
