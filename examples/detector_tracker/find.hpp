// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "repetitions.hpp"
#include "setup.hpp"
#include "telescope.hpp"

#include <trackplex/detector/track_list.hpp>
#include <trackplex/search/detector_hits.hpp>

#include <vector>

namespace detector_tracker {

using Tracks = detector::TrackList<>;
using ForwardTracks = detector::TrackList<kalman::ForwardTrack>;

/// The hits of events, in batches that are processed one after the other.
using Batches = std::vector<const search::HostDetectorHits*>;

/// Finds the tracks of all events. Compiled once per backend and number type, in find.cpp.
template <class Real, class ExecutionSpace>
Found<Tracks> find_tracks(const program::Run<Real, ExecutionSpace>& run, const Setup& setup,
                          const Batches& batches, const Repetitions& repetitions);
/// The same of the telescope, in find_telescope.cpp.
template <class Real, class ExecutionSpace>
Found<ForwardTracks> find_tracks(const program::Run<Real, ExecutionSpace>& run,
                                 const Telescope& telescope, const Batches& batches,
                                 const Repetitions& repetitions);

}  // namespace detector_tracker
