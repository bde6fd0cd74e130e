// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/steps/aperture.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
#include <string>

namespace trackplex::beam {

TRACKPLEX_INLINE void ElementCheck::finite(const char* quantity, double value) const {
  if (!std::isfinite(value)) refuse(quantity, value, "it must be finite");
}

TRACKPLEX_INLINE void ElementCheck::not_negative(const char* quantity, double value) const {
  finite(quantity, value);
  if (value < 0.) refuse(quantity, value, "it must not be negative");
}

TRACKPLEX_INLINE void ElementCheck::placed(const Misalignment& by) const {
  finite("displacement in x", by.dx);
  finite("displacement in y", by.dy);
  finite("displacement in z", by.dz);
  finite("tilt", by.tilt);
}

TRACKPLEX_INLINE void ElementCheck::open(const Aperture& aperture) const {
  not_negative("half width in x", aperture.x_max);
  not_negative("half width in y", aperture.y_max);
  finite("displacement in x", aperture.dx);
  finite("displacement in y", aperture.dy);
  finite("tilt of the aperture", aperture.tilt);
  not_negative("radius of the corners in x", aperture.x_corner);
  not_negative("radius of the corners in y", aperture.y_corner);
  if ((aperture.x_corner > 0.) != (aperture.y_corner > 0.))
    refuse("radius of the corners in y", aperture.y_corner, "both are 0 or neither is");
  for (const int exponent : {aperture.x_exponent, aperture.y_exponent})
    if (exponent < 1) refuse("exponent", exponent, "it must be above 0");
}

TRACKPLEX_INLINE void ElementCheck::refuse(const std::string& quantity, double value,
                                           const std::string& why) const {
  throw UsageError("element '" + name_ + "'", "its " + quantity + " cannot be " + shortest(value),
                   why);
}

}  // namespace trackplex::beam
