// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/launch.hpp>
#include <trackplex/simulation/bunch_params.hpp>
#include <trackplex/simulation/detail/bunch_draws.hpp>

#include <cstdint>

namespace trackplex::simulation {

/// Generates a bunch with given optical functions, spreads and correlations in the memory of the
/// instance. Particle i draws from stream i of the seed, the same numbers in every bunch; its
/// coordinates are computed in `double` and rounded to T at the end. A larger bunch thus begins
/// with the particles of a smaller bunch. With `ranks`, all ranks call it, and each generates its
/// share. Enqueues on the instance.
///
/// From six numbers u of mean 0 and variance 1 for each particle,
/// \f[ s=\sigma_su_5,\quad \delta=hs+\sigma_\delta u_6,\quad
///   x=\sqrt{\varepsilon\beta}\,u_1+\eta\delta,\quad
///   x'=\sqrt{\varepsilon/\beta}\,(u_2-\alpha u_1)+\eta'\delta, \f]
/// likewise for y, and the means are added: emittance \f$ \varepsilon \f$, Twiss parameters
/// \f$ \beta,\alpha \f$, dispersion \f$ \eta,\eta' \f$ and chirp h as in `BunchParams`. Normal
/// numbers are computed from uniform ones by the inverse of the cumulative distribution (M. J.
/// Wichura, Algorithm AS 241, Appl. Statist. 37 (1988) 477).
///
/// With `BunchParams::exact_moments` each particle depends on all others. The numbers drawn are
/// then stored as T before the transformation, so that the moments of a bunch of float are as
/// specified up to the rounding of its coordinates, and the function waits for the instance.
/// @tparam T scalar of the coordinates, float or double
/// @tparam Width number of lanes of `double`; the result does not depend on it
/// @throws UsageError if a parameter is out of range
/// @throws CapacityError if a rank gets 2^31 particles or more
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, double>>
beam::Bunch<T, MemoryOf<ExecutionSpace>> generate_bunch(const ExecutionSpace& exec,
                                                        const BunchParams& params,
                                                        Workspace<ExecutionSpace>& workspace,
                                                        const Ranks* ranks = nullptr) {
  using Real = LanesOf<double, Width>;
  params.check();
  const Share share(params.particles, reduce_block, ranks);
  const int n = share.n;
  beam::Bunch<T, MemoryOf<ExecutionSpace>> bunch(exec, share, params.p0);
  bunch.particle_charge = share.all > 0 ? params.charge / double(share.all) : 0.;

  bunch.anomaly = params.anomaly;
  bunch.reference.mass = params.mass;
  bunch.reference.charge = params.charge_number;
  if (params.spin) bunch.add_spins(exec, (*params.spin)[0], (*params.spin)[1], (*params.spin)[2]);

  const auto draw = [&](const detail::BunchTransform& transform) {
    for_each_tile<Real>(
        exec, "Trackplex::Simulation::draw_bunch", n,
        detail::DrawParticles<Real, T>{detail::BunchDraws(params, std::uint64_t(share.first)),
                                       transform, bunch.columns()});
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

#if defined(TRACKPLEX_INSTANCES)
#include <trackplex/simulation/detail/bunch_generator.instances.hpp>
#endif
