// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "find_with.hpp"

#include <trackplex/detector/track_finder.hpp>

namespace detector_tracker {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
using trackplex::candidates::CloneEngine;

template <class Real, class ExecutionSpace>
Found<> find_tracks(const program::Run<Real, ExecutionSpace>& run, const Setup& setup,
                    const Batches& batches, int repeat,
                    const std::function<void()>& after_repetition) {
  Found<> found;
  run.with_lanes([&](auto lanes) {
    using Field = kalman::HelicesInField<MagneticField::Map<Real, ExecutionSpace>>;
    trackplex::detector::TrackFinder<Real, ExecutionSpace, Field, CloneEngine<4>, lanes()> finder(
        run.exec, setup.detector, setup.graph, Field{setup.field.map<Real>(run.exec)},
        setup.finder);
    find_with<Real>(finder, run, batches, repeat, after_repetition, found);
  });
  return found;
}

template Found<> find_tracks(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&, const Setup&,
                             const Batches&, int, const std::function<void()>&);

}  // namespace detector_tracker
