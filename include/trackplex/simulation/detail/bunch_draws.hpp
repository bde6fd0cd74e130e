// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch.hpp>
#include <trackplex/beam/moments.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/simulation/bunch_params.hpp>
#include <trackplex/simulation/detail/truncated_normal.hpp>

#include <cmath>
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

  BunchDraws(const BunchParams& params, std::uint64_t first_particle)
      : seed(params.seed),
        first(first_particle),
        normal(params.cutoff),
        is_flat(params.profile == BunchProfile::flat),
        depth(params.sigma_s > 0. ? params.modulation_depth : 0.) {
    periods_per_sigma = depth > 0. ? params.sigma_s / params.modulation_wavelength : 0.;
  }

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

/// v = offset + matrix (u - center).
struct BunchTransform {
  double matrix[n_coordinates][n_coordinates] = {};
  double center[n_coordinates] = {};
  double offset[n_coordinates] = {};

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION beam::Particle<Real> operator()(beam::Particle<Real> u) const {
    for (int j = 0; j < n_coordinates; ++j) u[j] = u[j] - Real(center[j]);
    beam::Particle<Real> v;
    for (int i = 0; i < n_coordinates; ++i) {
      v[i] = Real(offset[i]);
      for (int j = 0; j < n_coordinates; ++j) v[i] = fma(Real(matrix[i][j]), u[j], v[i]);
    }
    return v;
  }
};

/// From the numbers of BunchDraws to coordinates.
inline BunchTransform transform_of(const BunchParams& params) {
  BunchTransform t;
  auto& m = t.matrix;
  m[beam::s][beam::s] = params.sigma_s;
  m[beam::delta][beam::s] = params.chirp * params.sigma_s;
  m[beam::delta][beam::delta] = params.sigma_delta;
  t.offset[beam::s] = params.mean_s;
  t.offset[beam::delta] = params.mean_delta;
  const auto plane = [&](const BunchPlane& p, int a, int b) {
    const double emittance = p.emittance > 0. ? p.emittance : p.normalized_emittance / params.p0;
    m[a][a] = std::sqrt(emittance * p.beta);
    m[b][b] = std::sqrt(emittance / p.beta);
    m[b][a] = -p.alpha * m[b][b];
    for (const int j : {int(beam::s), int(beam::delta)}) {
      m[a][j] = p.dispersion * m[beam::delta][j];
      m[b][j] = p.dispersion_slope * m[beam::delta][j];
    }
    t.offset[a] = p.position;
    t.offset[b] = p.slope;
  };
  plane(params.x, beam::x, beam::xp);
  plane(params.y, beam::y, beam::yp);
  return t;
}

/// As `optics`, from numbers that have these moments rather than mean 0 and variance 1: they are
/// made independent one after the other (Gram and Schmidt), s first, so that its profile stays.
/// @throws UsageError if one of them is a combination of the others
inline BunchTransform with_exact_moments(const BunchTransform& optics,
                                         const beam::Moments& moments) {
  // covariance = L L^T, row by row; inverse = L^-1
  constexpr int order[n_coordinates] = {beam::s, beam::delta, beam::x, beam::xp, beam::y, beam::yp};
  double L[n_coordinates][n_coordinates] = {}, inverse[n_coordinates][n_coordinates] = {};
  for (int i = 0; i < n_coordinates; ++i)
    for (int j = 0; j <= i; ++j) {
      double rest = moments.covariance[order[i]][order[j]];
      for (int k = 0; k < j; ++k) rest -= L[i][k] * L[j][k];
      if (i == j && !(rest > 1e-12))
        throw UsageError("generate_bunch", "the particles are too few for exact moments");
      L[i][j] = i == j ? std::sqrt(rest) : rest / L[j][j];
    }
  for (int i = 0; i < n_coordinates; ++i)
    for (int j = 0; j <= i; ++j) {
      double rest = i == j ? 1. : 0.;
      for (int k = j; k < i; ++k) rest -= L[i][k] * inverse[k][j];
      inverse[i][j] = rest / L[i][i];
    }
  BunchTransform exact;
  for (int c = 0; c < n_coordinates; ++c) {
    exact.center[c] = moments.mean[c];
    exact.offset[c] = optics.offset[c];
    for (int j = 0; j < n_coordinates; ++j)
      for (int k = j; k < n_coordinates; ++k)
        exact.matrix[c][order[j]] += optics.matrix[c][order[k]] * inverse[k][j];
  }
  return exact;
}

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
