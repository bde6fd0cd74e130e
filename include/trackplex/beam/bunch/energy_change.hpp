// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/reference_particle.hpp>

#include <concepts>

namespace trackplex::beam {

/// Change of the energy of particles at one place, in cavities and wakes, for kernels. Particles
/// keep their times of arrival, so s, a time times the velocity, changes with the velocity by
/// \f[ s_1-s=(L+s)\Bigl(\frac{\beta_1}\beta-1\Bigr),\qquad \frac{\beta_1}\beta-1
///     =\frac{g_1^2-g^2}{p_0^2\,u\,g_1\,(u_1g+u\,g_1)},\f]
/// with \f$u=p/p_0\f$, \f$g=\gamma/p_0\f$ and the path length L of the reference particle. It
/// avoids differences of nearly equal numbers. No particle loses more than its kinetic energy: at
/// least 1e-7 of the rest energy remains.
/// @tparam T precision, float or double
template <std::floating_point T>
struct EnergyChange {
  T p0_to_minus_2;  ///< p0^-2.
  T path;           ///< Path length of the reference particle times p0^-2, m.
  T lowest_energy;  ///< gamma/p0 that no particle goes below.

  /// Takes momentum and path length of a reference particle.
  KOKKOS_FORCEINLINE_FUNCTION explicit EnergyChange(const ReferenceParticle& reference)
      : p0_to_minus_2(T(1) / (T(reference.p0) * T(reference.p0))),
        path(T(reference.path_length) * p0_to_minus_2),
        lowest_energy(T((1. + 1e-7) / reference.p0)) {}

  /// Adds a change of gamma/p0 to the energy of a particle that keeps its slopes.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void keep_slopes(Particle<Real>& v, const Real& change) const {
    const Changed<Real> to(*this, v, change);
    const Real inverse = Real(1) / (to.momenta * to.velocities);
    to.apply(*this, v, inverse * to.velocities, inverse * to.momenta);
  }

  /// Adds a change of gamma/p0 to the energy of a particle that keeps its transverse momenta; its
  /// momentum along the axis stays above a thousandth of the total.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION void keep_momenta(Particle<Real>& v, const Real& change) const {
    const Changed<Real> to(*this, v, change);
    const Real q = fma(v[xp], v[xp], v[yp] * v[yp]);
    const Real uz = sqrt(max(fma(to.u, to.u, fma(to.added, q, to.added)),
                             Real(T(1e-6)) * (to.u1 * to.u1)));  // pz/p0 sqrt(1 + q)
    const Real ab = to.momenta * to.velocities, inverse = Real(1) / (ab * uz);
    const Real slope = to.u * (inverse * ab);
    to.apply(*this, v, inverse * (to.velocities * uz), inverse * (to.momenta * uz));
    v[xp] = v[xp] * slope;
    v[yp] = v[yp] * slope;
  }

 private:
  template <class Real>
  struct Changed {
    Real u, added, u1;
    Real momenta, velocities;  // denominators of the changes of delta and of s

    KOKKOS_FORCEINLINE_FUNCTION Changed(const EnergyChange& by, const Particle<Real>& v,
                                        const Real& change) {
      u = Real(1) + v[delta];
      const Real g = sqrt(fma(u, u, Real(by.p0_to_minus_2)));
      const Real dg = max(change, Real(by.lowest_energy) - g), g1 = g + dg;
      added = dg * (g + g1);  // to g^2, and to u^2
      u1 = sqrt(fma(u, u, added));
      const Real cross = u * g1;
      momenta = u + u1;
      velocities = cross * fma(u1, g, cross);
    }
    KOKKOS_FORCEINLINE_FUNCTION void apply(const EnergyChange& by, Particle<Real>& v,
                                           const Real& per_momenta,
                                           const Real& per_velocities) const {
      const Real way = fma(v[s], Real(by.p0_to_minus_2), Real(by.path));
      v[s] = fma(way * added, per_velocities, v[s]);
      v[delta] = fma(added, per_momenta, v[delta]);
    }
  };
};

/// Changes s of a particle whose 1 + delta was u before, so that its time of arrival is kept.
/// @param u              1 + delta before
/// @param p0_to_minus_2  p0^-2
/// @param path           path length of the reference particle times p0^-2, m
/// @param v              particle with its new delta
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void keep_time(const Real& u, const Real& p0_to_minus_2,
                                           const Real& path, Particle<Real>& v) {
  const Real u1 = Real(1) + v[delta];
  const Real g = sqrt(fma(u, u, p0_to_minus_2)), g1 = sqrt(fma(u1, u1, p0_to_minus_2));
  const Real cross = u * g1, way = fma(v[s], p0_to_minus_2, path);
  v[s] = fma(way * ((u1 - u) * (u1 + u)), Real(1) / (cross * fma(u1, g, cross)), v[s]);
}

}  // namespace trackplex::beam
