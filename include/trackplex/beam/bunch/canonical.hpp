// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/bunch/reference_particle.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/launch.hpp>

#include <array>

namespace trackplex::beam {

/// Canonical coordinates relative to the reference particle, in units of its momentum p0: those of
/// ImpactX; Xsuite and MAD-X count time and energy with the other sign.
namespace canonical {
/// Canonical coordinates.
enum Coordinate : int {
  x,   ///< Horizontal position, m.
  px,  ///< Horizontal momentum over p0.
  y,   ///< Vertical position, m.
  py,  ///< Vertical momentum over p0.
  ct,  ///< Time of arrival after the reference particle, times the speed of light, m.
  pt   ///< Minus the deviation of the energy, (E0 - E)/(p0 c).
};
}  // namespace canonical

/// Returns the canonical coordinates of particles, in the order of `canonical::Coordinate`.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Particle<Real> to_canonical(const ReferenceParticle& reference,
                                                        const Particle<Real>& v) {
  const ArrivalTimes<ScalarOf<Real>> times(reference);
  const Real one(1), momentum = one + v[delta];
  const Real factor = momentum / sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
  const Real more = v[delta] * (one + momentum) / (times.energy(momentum) + Real(times.energy0));
  return {v[x], v[xp] * factor, v[y], v[yp] * factor, times.delay(v[s], v[delta]), -more};
}

/// Returns particles with given canonical coordinates: the inverse of `to_canonical`. Coordinates
/// are not finite where the transverse momentum exceeds the whole one.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Particle<Real> from_canonical(const ReferenceParticle& reference,
                                                          const Particle<Real>& c) {
  namespace q = canonical;
  const ArrivalTimes<ScalarOf<Real>> times(reference);
  const Real one(1), energy0(times.energy0);
  const Real more = c[q::pt] * (c[q::pt] - (energy0 + energy0));  // p^2/p0^2 - 1
  const Real deviation = more / (one + sqrt(one + more));
  const Real pz2 = (one + more) - fma(c[q::px], c[q::px], c[q::py] * c[q::py]);
  const Real per_pz = one / sqrt(pz2);
  return {c[q::x],
          c[q::px] * per_pz,
          c[q::y],
          c[q::py] * per_pz,
          times.s_of_delay(c[q::ct], deviation),
          deviation};
}

/// First and second moments of a bunch in canonical coordinates, on the host.
struct CanonicalMoments {
  using Vector = std::array<double, n_coordinates>;  ///< Value of each coordinate.

  double number = 0.;           ///< Number of surviving particles; if 0, the rest is 0.
  ReferenceParticle reference;  ///< Reference particle at the time of the sums.
  Vector mean{};                ///< Means of the coordinates.
  /// Covariances of the coordinates about their means, divided by the number of particles.
  std::array<Vector, n_coordinates> covariance{};

  /// Returns the rms of a coordinate about its mean.
  double sigma(canonical::Coordinate coordinate) const;
  /// Returns the rms emittance of a plane (`canonical::x`, `y` or `ct`) from the covariances with
  /// its momentum, m: times beta gamma of the reference particle it is the normalized emittance.
  double emittance(canonical::Coordinate plane) const;
};

namespace detail {

template <class Real>
struct ConvertToCanonical {
  ReferenceParticle reference;
  BunchColumns<ScalarOf<Real>> from, to;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    to.store(tile, to_canonical(reference, from.load(tile)));
  }
};

}  // namespace detail

/// Computes the canonical moments of the first `bunch.size()` particles, without lost ones, from a
/// temporary copy of their coordinates. Waits for the instance.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
CanonicalMoments canonical_moments_of(const ExecutionSpace& exec,
                                      const Bunch<T, MemoryOf<ExecutionSpace>>& bunch,
                                      Workspace<ExecutionSpace>& workspace) {
  using Real = LanesOf<T, Width>;
  auto copy = bunch;
  copy.remove_spins();
  copy.allocate(exec, bunch.size_with_lost());
  copy.ids = bunch.ids;
  copy.losses = bunch.losses;
  for_each_tile<Real>(
      exec, "Trackplex::Beam::to_canonical", bunch.size(),
      detail::ConvertToCanonical<Real>{bunch.reference, bunch.columns(), copy.columns()});
  const Moments moments = moments_of(exec, copy, workspace);
  return {moments.number, moments.reference, moments.mean, moments.covariance};
}

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/bunch/detail/canonical.impl.hpp>
#endif
