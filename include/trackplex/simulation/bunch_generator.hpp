// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/launch.hpp>
#include <trackplex/simulation/bunch_params.hpp>
#include <trackplex/simulation/detail/bunch_draws.hpp>

namespace trackplex::simulation {

/// A bunch with the optical functions, spreads and correlations asked for, made where it stays.
/// Particle i draws from stream i of the seed, the same numbers in every bunch, and its coordinates
/// are computed in `double` and rounded to T in the end: a larger bunch begins with the particles
/// of a smaller one.
///
/// With `exact_moments`, all particles depend on all; the numbers drawn are stored as T before they
/// are transformed, so that the moments of a float bunch are as asked for up to the rounding of its
/// coordinates. Waits for the instance then, otherwise it enqueues.
/// @throws UsageError if a parameter is out of range
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, double>>
beam::Bunch<T, MemoryOf<ExecutionSpace>> generate_bunch(const ExecutionSpace& exec,
                                                        const BunchParams& params,
                                                        Workspace<ExecutionSpace>& workspace) {
  using Real = LanesOf<double, Width>;
  params.check();
  const int n = params.particles;
  beam::Bunch<T, MemoryOf<ExecutionSpace>> bunch(exec, n, params.p0);
  bunch.particle_charge = n > 0 ? params.charge / n : 0.;

  const auto draw = [&](const detail::BunchTransform& transform) {
    for_each_tile<Real>(
        exec, "Trackplex::Simulation::draw_bunch", n,
        detail::DrawParticles<Real, T>{detail::BunchDraws(params), transform, bunch.columns()});
  };
  const auto optics = detail::transform_of(params);
  if (!params.exact_moments) {
    draw(optics);
    return bunch;
  }
  detail::BunchTransform identity;
  for (int i = 0; i < beam::n_coordinates; ++i) identity.matrix[i][i] = 1.;
  draw(identity);
  const auto exact = detail::with_exact_moments(optics, beam::moments_of(exec, bunch, workspace));
  for_each_tile<Real>(exec, "Trackplex::Simulation::transform_bunch", n,
                      detail::TransformParticles<Real, T>{exact, bunch.columns()});
  return bunch;
}

}  // namespace trackplex::simulation
