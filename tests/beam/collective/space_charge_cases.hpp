// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle_table.hpp>
#include <trackplex/beam/collective/longitudinal_space_charge.hpp>
#include <trackplex/core/random.hpp>

#include "beam/reference_vectors.hpp"

namespace trackplex::test {

inline constexpr double bunch_charge = 1e-9;  // C
inline constexpr double reference_p0 = 200.;

/// The particles of a file of elegant's before an element.
inline beam::ParticleTable table_of(const std::vector<ReferenceParticle>& particles) {
  beam::ParticleTable table(int(particles.size()), reference_p0);
  for (int i = 0; i < table.size(); ++i)
    for (int c = 0; c < beam::n_coordinates; ++c) table.v[c][i] = particles[i].before[c];
  table.particle_charge = bunch_charge / table.size();
  return table;
}

/// Particles with normally distributed coordinates, as long and wide as those of the files.
inline beam::ParticleTable gaussian_table(int n) {
  beam::ParticleTable table(n, reference_p0);
  const double sigmas[] = {150e-6, 1e-5, 100e-6, 1.5e-5, 3e-4, 1e-4};
  RandomStream<double> random(11, 3);
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < beam::n_coordinates; ++c) table.v[c][i] = random.normal(0., sigmas[c]);
  table.particle_charge = bunch_charge / n;
  return table;
}

/// What a drift leaves of particles.
struct Tracked {
  beam::ParticleTable table;
  std::vector<beam::SpaceChargeStep> steps;
  beam::SpaceChargeStep last_step;
  beam::SpaceChargeProfile profile;
};

template <class T, int Width, class Space>
Tracked tracked(const beam::ParticleTable& table, const beam::SpaceChargeDrift& drift) {
  const Space exec;
  Workspace<Space> workspace;
  auto bunch = beam::upload<T>(exec, table);
  beam::LongitudinalSpaceCharge<T, Space, Width> space_charge(exec, drift);
  const int steps = space_charge(exec, bunch, workspace);
  Tracked result{beam::download(exec, bunch), space_charge.steps(), {}, {}};
  if (drift.space_charge) {
    CHECK(steps == (drift.length > 0. ? int(result.steps.size()) : 1));
    result.last_step = space_charge.last_step(exec);
    result.profile = space_charge.profile(exec);
  } else {
    CHECK(steps == 0);
  }
  return result;
}

/// With the lanes that suit the space.
template <class T, class Space>
Tracked tracked(const beam::ParticleTable& table, const beam::SpaceChargeDrift& drift) {
  return tracked<T, default_lane_width<Space, float>, Space>(table, drift);
}

}  // namespace trackplex::test
