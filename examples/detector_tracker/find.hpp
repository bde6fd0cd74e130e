// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "setup.hpp"
#include "telescope.hpp"

#include <common/run.hpp>
#include <common/timing.hpp>
#include <trackplex/detector/track_list.hpp>
#include <trackplex/search/detector_hits.hpp>

#include <functional>
#include <string>
#include <vector>

namespace detector_tracker {

using Tracks = trackplex::detector::TrackList<>;

/// The tracks of all events.
template <class Model = trackplex::kalman::CentralTrack>
struct Found {
  std::vector<trackplex::detector::TrackList<Model>> events{};
  std::string hash{};                   ///< of all hits, states and chi2
  trackplex::program::Times time_us{};  ///< per event
};

/// The hits of events, in batches that are worked on one after the other.
using Batches = std::vector<const trackplex::search::HostDetectorHits*>;

/// Finds the tracks, once as a warm-up and then `repeat` times. Compiled once per backend and
/// number type, in find.cpp.
/// @throws Error where a repetition gives other tracks than the one before
template <class Real, class ExecutionSpace>
Found<> find_tracks(const trackplex::program::Run<Real, ExecutionSpace>& run, const Setup& setup,
                    const Batches& batches, int repeat,
                    const std::function<void()>& after_repetition);
/// The same of the telescope, in find_telescope.cpp.
template <class Real, class ExecutionSpace>
Found<trackplex::kalman::ForwardTrack> find_tracks(
    const trackplex::program::Run<Real, ExecutionSpace>& run, const Telescope& telescope,
    const Batches& batches, int repeat, const std::function<void()>& after_repetition);

}  // namespace detector_tracker
