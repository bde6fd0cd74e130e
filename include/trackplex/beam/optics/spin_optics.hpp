// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/line_tracker.hpp>
#include <trackplex/beam/optics/single_particles.hpp>
#include <trackplex/beam/optics/spin_axis.hpp>
#include <trackplex/core/error.hpp>

#include <numeric>
#include <vector>

namespace trackplex::beam {

/// Computes invariant spin axis and spin tune of a ring about the particle that starts at `orbit`,
/// usually that of `OrbitTracker::closed_orbit`, at a reference momentum p0 (beta gamma), from the
/// rotations of three spins. Collective elements are replaced, see `for_single_particles`.
/// @tparam Types ElementList of custom step types, as for `LineTracker`
/// @throws UsageError if the particle is lost, an element has an unknown effect on spins, or as
/// `spin_optics_of_turn`
template <class Types = ElementTypes<>, class ExecutionSpace>
SpinOptics spin_optics(const ExecutionSpace& exec, const BeamLine& ring, double p0,
                       const TransferMap::Vector& orbit = {}, double anomaly = anomaly::electron) {
  ParticleTable table(n_spin_components, p0);
  table.set_spins(1., 0., 0.);
  table.anomaly = anomaly;
  for (int i = 0; i < n_spin_components; ++i) {
    for (int c = 0; c < n_coordinates; ++c) table.v[c][i] = orbit[c];
    for (int c = 0; c < n_spin_components; ++c) table.spin[c][i] = c == i ? 1. : 0.;
  }
  const BeamLine line = for_single_particles(ring, p0);
  std::vector<int> all(line.size());
  std::iota(all.begin(), all.end(), 0);
  LineTracker<double, ExecutionSpace, Types> tracker(exec, line, {}, all);
  auto bunch = upload<double>(exec, table);
  std::vector<SpinMatrix> turns;
  tracker.track(bunch, 1, [&](int, int, auto& at) {
    const ParticleTable here = download(exec, at);
    if (here.n_lost() > 0) throw UsageError("spin_optics", "the particle of the orbit is lost");
    SpinMatrix& turn = turns.emplace_back();
    for (int c = 0; c < n_spin_components; ++c)
      for (int i = 0; i < n_spin_components; ++i) turn[c][i] = here.spin[c][i];
  });
  if (turns.empty()) throw UsageError("spin_optics", "the ring has no elements");
  SpinOptics optics = spin_optics_of_turn(turns.back());
  const SpinVector start = optics.axis.front();
  for (const SpinMatrix& turn : turns) {
    SpinVector& axis = optics.axis.emplace_back();
    for (int c = 0; c < n_spin_components; ++c)
      axis[c] = turn[c][0] * start[0] + turn[c][1] * start[1] + turn[c][2] * start[2];
  }
  return optics;
}

}  // namespace trackplex::beam
