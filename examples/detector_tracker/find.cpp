// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "find.hpp"

#include <trackplex/detector/track_finder.hpp>

namespace detector_tracker {

template <class Real, class ExecutionSpace>
FinderCalls finder_calls(const program::Run<Real, ExecutionSpace>& run, const Setup& setup,
                         const detector::TrackFinderParams<>& finder) {
  using Field = kalman::HelicesInField<MagneticField::Map<Real, ExecutionSpace>>;
  using Params = detector::TrackFinderParams<>;
  auto calls = program::chain_calls(
      run,
      [&setup, finder]<class Lanes>(Lanes, const ExecutionSpace& exec,
                                    const chain::ArenaSize& arena)
          -> detector::TrackFinder<Real, ExecutionSpace, Field, Params, Lanes::value> {
        return detector::track_finder<Real, ExecutionSpace, Lanes::value>(
            exec, setup.detector, setup.graph, Field{setup.field.map<Real>(exec)}, finder, arena);
      });
  calls.listing.default_steps =
      detector::steps_in_passes(calls.listing.default_steps, finder.passes.size());
  return calls;
}

template FinderCalls finder_calls(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                  const Setup&, const detector::TrackFinderParams<>&);

}  // namespace detector_tracker
