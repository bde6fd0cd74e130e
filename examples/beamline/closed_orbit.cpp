// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "optics.hpp"

#include <trackplex/beam/optics/closed_orbit.hpp>

namespace beamline {

template <class Real, class ExecutionSpace>
trackplex::beam::OrbitOptics orbit_optics(const trackplex::program::Run<Real, ExecutionSpace>& run,
                                          const trackplex::beam::BeamLine& ring, double p0,
                                          double delta) {
  trackplex::beam::OrbitTracker<ExecutionSpace> tracker(run.exec, ring, p0);
  return trackplex::beam::orbit_optics(tracker, delta);
}

template trackplex::beam::OrbitOptics orbit_optics(
    const trackplex::program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
    const trackplex::beam::BeamLine&, double, double);

}  // namespace beamline
