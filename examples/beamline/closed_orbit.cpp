// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles that optics are about, tracked on the host.
#include "optics.hpp"

#include <trackplex/beam/optics/closed_orbit.hpp>
#include <trackplex/beam/optics/spin_optics.hpp>
#include <trackplex/core/host_executor.hpp>

namespace beamline {

using Tracker = beam::OrbitTracker<HostExecutor>;

TrackedTurn closed_orbit(const beam::BeamLine& ring, double p0, double delta,
                         bool with_chromaticity) {
  Tracker tracker(HostExecutor(), ring, p0);
  TrackedTurn found{beam::orbit_optics(tracker, delta), {}, {}};
  found.turn = tracker.turn_about(found.about.orbit.front());
  if (with_chromaticity) found.chromaticity = beam::orbit_chromaticity(tracker, delta);
  return found;
}

TrackedTurn trajectory(const beam::BeamLine& line, double p0, const beam::Optics& start,
                       const beam::TransferMap::Vector& orbit) {
  Tracker tracker(HostExecutor(), line, p0);
  return {beam::optics_about(tracker, start, orbit), tracker.turn_about(orbit), {}};
}

beam::SpinOptics spins_about(const beam::BeamLine& ring, double p0,
                             const beam::TransferMap::Vector& orbit, double anomaly) {
  return beam::spin_optics(HostExecutor(), ring, p0, orbit, anomaly);
}

}  // namespace beamline
