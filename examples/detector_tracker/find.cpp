// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "find_with.hpp"

#include <trackplex/detector/track_finder.hpp>

namespace detector_tracker {

template <class Real, class ExecutionSpace>
Found<Tracks> find_tracks(const program::Run<Real, ExecutionSpace>& run, const Setup& setup,
                          const Batches& batches, const Repetitions& repetitions) {
  using Field = kalman::HelicesInField<MagneticField::Map<Real, ExecutionSpace>>;
  Found<Tracks> found;
  run.with_lanes([&](auto lanes) {
    detector::TrackFinder<Real, ExecutionSpace, Field, candidates::CloneEngine<4>, lanes()> finder(
        run.exec, setup.detector, setup.graph, Field{setup.field.map<Real>(run.exec)},
        setup.finder);
    found = find_with(finder, run, batches, repetitions);
  });
  return found;
}

template Found<Tracks> find_tracks(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                   const Setup&, const Batches&, const Repetitions&);

}  // namespace detector_tracker
