// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/simulation/bunch_params.hpp>
#include <trackplex/simulation/detail/bunch_draws.hpp>
#include <trackplex/simulation/detail/truncated_normal.hpp>

#include <cmath>
#include <cstdint>

namespace trackplex::simulation::detail {

TRACKPLEX_INLINE BunchDraws::BunchDraws(const BunchParams& params, std::uint64_t first_particle)
    : seed(params.seed),
      first(first_particle),
      normal(params.cutoff),
      is_flat(params.profile == BunchProfile::flat),
      depth(params.sigma_s > 0. ? params.modulation_depth : 0.) {
  periods_per_sigma = depth > 0. ? params.sigma_s / params.modulation_wavelength : 0.;
}

TRACKPLEX_INLINE BunchTransform transform_of(const BunchParams& params) {
  BunchTransform t;
  t.is_canonical = params.coordinates == BunchCoordinates::canonical;
  t.reference.p0 = params.p0;
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

TRACKPLEX_INLINE BunchTransform with_exact_moments(const BunchTransform& optics,
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
  exact.is_canonical = optics.is_canonical;
  exact.reference = optics.reference;
  for (int c = 0; c < n_coordinates; ++c) {
    exact.center[c] = moments.mean[c];
    exact.offset[c] = optics.offset[c];
    for (int j = 0; j < n_coordinates; ++j)
      for (int k = j; k < n_coordinates; ++k)
        exact.matrix[c][order[j]] += optics.matrix[c][order[k]] * inverse[k][j];
  }
  return exact;
}

}  // namespace trackplex::simulation::detail
