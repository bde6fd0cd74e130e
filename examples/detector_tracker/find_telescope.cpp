// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "find_with.hpp"

#include <trackplex/detector/track_finder.hpp>

namespace detector_tracker {

/// Downstream of the magnet, each hit gives a seed a momentum: more candidates than elsewhere.
template <class Real, class ExecutionSpace>
Found<ForwardTracks> find_tracks(const program::Run<Real, ExecutionSpace>& run,
                                 const Telescope& telescope, const Batches& batches,
                                 const Repetitions& repetitions) {
  Found<ForwardTracks> found;
  run.with_lanes([&](auto lanes) {
    detector::TrackFinder<Real, ExecutionSpace, geometry::DipoleField, candidates::CloneEngine<8>,
                          lanes(), kalman::ForwardTrack>
        finder(run.exec, telescope.detector, telescope.graph, telescope.magnet, telescope.finder);
    found = find_with(finder, run, batches, repetitions);
  });
  return found;
}

template Found<ForwardTracks> find_tracks(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                          const Telescope&, const Batches&, const Repetitions&);

}  // namespace detector_tracker
