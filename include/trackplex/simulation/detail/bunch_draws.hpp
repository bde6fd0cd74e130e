// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/canonical.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/simulation/bunch_params.hpp>
#include <trackplex/simulation/detail/truncated_normal.hpp>

#include <cstdint>

namespace trackplex::simulation::detail {

using beam::n_coordinates;

/// Six independent numbers of each particle with mean 0 and variance 1, from a stream of its own.
struct BunchDraws {
  std::uint64_t seed;
  std::uint64_t first;  ///< number of the first particle
  TruncatedNormal normal;
  bool is_flat;
  double periods_per_sigma;  ///< of the modulation
  double depth;

  BunchDraws(const BunchParams& params, std::uint64_t first_particle);

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION beam::Particle<Real> operator()(const Tile<Real>& tile) const {
    using Stream = typename RandomStream<Real>::StreamNumber;
    RandomStream<Real> random(seed, Stream(first) + convert<Stream>(tile.index()));
    beam::Particle<Real> u;
    for (int i = 0; i < n_coordinates; ++i) u[i] = random.uniform();
    const Real flat = (u[beam::s] - Real(0.5)) * Real(3.4641016151377544);  // sqrt(12)
    for (int i = 0; i < n_coordinates; ++i)
      if (i != beam::s || !is_flat) u[i] = normal(u[i]);
    if (is_flat) u[beam::s] = flat;
    if (depth > 0.) u[beam::s] = modulated(u[beam::s]);
    return u;
  }

 private:
  /// The place t below which the density 1 + depth cos t leaves as much as there is of a constant
  /// one below t0: t + depth sin t = t0. With e = t - pi from the middle of the period, this is
  /// Kepler's equation, e - depth sin e = m; eight of Newton's steps solve it to rounding.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real modulated(const Real& u) const {
    constexpr double two_pi = 0x1.921fb54442d18p+2;
    const Real periods = u * Real(periods_per_sigma);
    const Real middle = floor(periods) + Real(0.5);
    const Real m = (periods - middle) * Real(two_pi);
    Real e = m + copysign(Real(0.85 * depth), m);
    for (int step = 0; step < 8; ++step) {
      const auto angle = sincos(e);
      e = e - (fma(-Real(depth), angle.sin, e) - m) / fma(-Real(depth), angle.cos, Real(1));
    }
    return (middle + e * Real(1. / two_pi)) / Real(periods_per_sigma);
  }
};

/// v = offset + matrix (u - center), from canonical coordinates where they are.
struct BunchTransform {
  double matrix[n_coordinates][n_coordinates] = {};
  double center[n_coordinates] = {};
  double offset[n_coordinates] = {};
  bool is_canonical = false;
  beam::ReferenceParticle reference{};

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION beam::Particle<Real> operator()(beam::Particle<Real> u) const {
    for (int j = 0; j < n_coordinates; ++j) u[j] = u[j] - Real(center[j]);
    beam::Particle<Real> v;
    for (int i = 0; i < n_coordinates; ++i) {
      v[i] = Real(offset[i]);
      for (int j = 0; j < n_coordinates; ++j) v[i] = fma(Real(matrix[i][j]), u[j], v[i]);
    }
    if (!is_canonical) return v;
    v[beam::canonical::pt] = -v[beam::canonical::pt];
    return beam::from_canonical(reference, v);
  }
};

/// From the numbers of BunchDraws to coordinates.
BunchTransform transform_of(const BunchParams& params);

/// As `optics`, from numbers that have these moments rather than mean 0 and variance 1: they are
/// made independent one after the other (Gram and Schmidt), s first, so that its profile stays.
/// @throws UsageError if one of them is a combination of the others
BunchTransform with_exact_moments(const BunchTransform& optics, const beam::Moments& moments);

/// Draws the particles.
template <class Real, class T>
struct DrawParticles {
  BunchDraws draws;
  BunchTransform transform;
  beam::BunchColumns<T> columns;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    columns.store(tile, transform(draws(tile)));
  }
};

/// Transforms particles drawn before.
template <class Real, class T>
struct TransformParticles {
  BunchTransform transform;
  beam::BunchColumns<T> columns;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    columns.store(tile, transform(columns.load(tile)));
  }
};

}  // namespace trackplex::simulation::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/simulation/detail/bunch_draws.impl.hpp>
#endif
