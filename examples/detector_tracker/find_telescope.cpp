// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "find.hpp"

#include <trackplex/detector/track_finder.hpp>

namespace detector_tracker {

template <class Real, class ExecutionSpace>
TelescopeCalls finder_calls(const program::Run<Real, ExecutionSpace>& run,
                            const Telescope& telescope) {
  using Field = geometry::DipoleField;
  auto calls = program::chain_calls(
      run,
      [=]<class Lanes>(Lanes, const ExecutionSpace& exec, const chain::ArenaSize& arena)
          -> detector::TrackFinder<Real, ExecutionSpace, Field, Telescope::Params, Lanes::value> {
        return detector::track_finder<Real, ExecutionSpace, Lanes::value>(
            exec, telescope.detector, telescope.graph, telescope.magnet, telescope.finder, arena);
      });
  calls.listing.default_steps =
      detector::steps_in_passes(calls.listing.default_steps, telescope.finder.passes.size());
  return calls;
}

template TelescopeCalls finder_calls(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                     const Telescope&);

}  // namespace detector_tracker
