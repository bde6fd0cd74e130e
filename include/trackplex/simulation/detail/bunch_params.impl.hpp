// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/simulation/bunch_params.hpp>
#include <trackplex/simulation/detail/check_range.hpp>

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

}  // namespace detail

// namespace detail
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
  Check::range("cutoff", cutoff, 0.1, 8.);
  Check::range("depth of the modulation", modulation_depth, 0., 0.95);
  if (modulation_depth > 0.)
    Check::positive("wavelength of the modulation", modulation_wavelength, 1e6);
}

}  // namespace trackplex::simulation
