// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/simulation/bunch_params.hpp>
#include <trackplex/simulation/detail/check_range.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace trackplex::simulation {
namespace detail {

TRACKPLEX_INLINE void BunchParamsCheck::positive(const std::string& quantity, double value,
                                                 double highest) {
  range(quantity, value, 0., highest);
  if (!(value > 0.)) throw UsageError(bunch, quantity + " is not above 0");
}

TRACKPLEX_INLINE void BunchParamsCheck::plane(const std::string& name, const BunchPlane& plane) {
  range("emittance in " + name, plane.emittance, 0., 1.);
  range("normalized emittance in " + name, plane.normalized_emittance, 0., 1.);
  if (plane.emittance > 0. && plane.normalized_emittance > 0.)
    throw UsageError(bunch, "there are two emittances in " + name,
                     "a geometric and a normalized one", "leave one of them 0");
  positive("beta function in " + name, plane.beta, 1e6);
  range("alpha in " + name, plane.alpha, -1e6, 1e6);
  range("dispersion in " + name, plane.dispersion, -1e6, 1e6);
  range("slope of the dispersion in " + name, plane.dispersion_slope, -1e6, 1e6);
  range("mean position in " + name, plane.position, -1e6, 1e6);
  range("mean slope in " + name, plane.slope, -1e3, 1e3);
}

TRACKPLEX_INLINE void BunchParamsCheck::momenta(const BunchParams& params) {
  // no particle of any bunch that fits into memory reaches five of these deviations
  double variance = 0., mean = 0.;
  for (const BunchPlane* plane : {&params.x, &params.y}) {
    const double emittance =
        plane->emittance > 0. ? plane->emittance : plane->normalized_emittance / params.p0;
    const double of_dispersion = plane->dispersion_slope * params.sigma_delta;
    variance += emittance * (1. + plane->alpha * plane->alpha) / plane->beta +
                of_dispersion * of_dispersion;
    mean = hypot(mean, plane->slope);
  }
  const double chirped = params.chirp * params.sigma_s;
  const double lowest = 1. + params.mean_delta - 5. * hypot(params.sigma_delta, chirped);
  if (mean + 5. * std::sqrt(variance) < lowest) return;
  throw UsageError(bunch, "the transverse momenta reach the whole momentum",
                   "rms over p0: " + shortest(std::sqrt(variance)),
                   "choose larger beta functions or a smaller emittance");
}

}  // namespace detail

TRACKPLEX_INLINE void BunchParams::check() const {
  using Check = detail::BunchParamsCheck;
  // The covariances of 6 particles or fewer are singular.
  Check::range("number of particles", double(particles), exact_moments ? 7 : 0, 0x1p52);
  Check::positive("momentum of the reference particle", p0, 1e9);
  Check::range("charge", charge, -1., 1.);
  Check::plane("x", x);
  Check::plane("y", y);
  Check::range("rms length", sigma_s, 0., 1e6);
  Check::range("rms of the relative momentum", sigma_delta, 0., 1.);
  Check::range("chirp", chirp, -1e9, 1e9);
  Check::range("mean position along the bunch", mean_s, -1e6, 1e6);
  Check::range("mean relative momentum", mean_delta, -0.999, 1e3);
  Check::range("cutoff", cutoff, 0.1, std::numeric_limits<double>::infinity());
  if (coordinates == BunchCoordinates::canonical) Check::momenta(*this);
  Check::range("anomalous magnetic moment", anomaly, -1e3, 1e3);
  Check::positive("mass", mass, 1e6);
  Check::positive("charge number", charge_number, 1e3);
  if (spin) {
    const auto& [sx, sy, sz] = *spin;
    if (!(std::abs(sx * sx + sy * sy + sz * sz - 1.) < 2e-6))
      throw UsageError(Check::bunch, "the spin is not a unit vector",
                       "(" + shortest(sx) + ", " + shortest(sy) + ", " + shortest(sz) + ")");
  }
  Check::range("depth of the modulation", modulation_depth, 0., 0.95);
  if (modulation_depth > 0.)
    Check::positive("wavelength of the modulation", modulation_wavelength, 1e6);
}

}  // namespace trackplex::simulation
