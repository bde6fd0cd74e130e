// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "find_with.hpp"

#include <trackplex/detector/track_finder.hpp>

namespace detector_tracker {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
using trackplex::candidates::CloneEngine;

/// Behind the magnet, each hit gives a seed a momentum: more candidates than elsewhere.
template <class Real, class ExecutionSpace>
Found<kalman::ForwardTrack> find_tracks(const program::Run<Real, ExecutionSpace>& run,
                                        const Telescope& telescope, const Batches& batches,
                                        int repeat, const std::function<void()>& after_repetition) {
  Found<kalman::ForwardTrack> found;
  run.with_lanes([&](auto lanes) {
    trackplex::detector::TrackFinder<Real, ExecutionSpace, trackplex::geometry::DipoleField,
                                     CloneEngine<8>, lanes(), kalman::ForwardTrack>
        finder(run.exec, telescope.detector, telescope.graph, telescope.magnet, telescope.finder);
    find_with<Real>(finder, run, batches, repeat, after_repetition, found);
  });
  return found;
}

template Found<kalman::ForwardTrack> find_tracks(
    const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&, const Telescope&, const Batches&, int,
    const std::function<void()>&);

}  // namespace detector_tracker
