// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/aperture.hpp>
#include <trackplex/beam/steps/step_type.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

namespace trackplex::beam {
namespace steps {

TRACKPLEX_INLINE std::vector<double> Rectangle::coefficients() const {
  return {aperture.dx, aperture.dy, aperture.x_max, aperture.y_max};
}

TRACKPLEX_INLINE std::vector<double> Outline::coefficients() const {
  const Aperture& a = aperture;
  const bool is_ellipse = a.shape == Aperture::Shape::ellipse && a.x_max > 0. && a.y_max > 0.;
  const bool along_y = a.open == Aperture::Open::plus_y || a.open == Aperture::Open::minus_y;
  const double other = along_y ? a.x_max : a.y_max;
  const double sign =
      a.open == Aperture::Open::minus_x || a.open == Aperture::Open::minus_y ? -1. : 1.;
  const double side = a.open == Aperture::Open::none ? 0. : sign;
  return {a.dx,
          a.dy,
          a.x_max,
          a.y_max,
          is_ellipse ? double(a.x_exponent) : 0.,
          double(a.y_exponent),
          a.is_inverted ? 1. : 0.,
          along_y ? 0. : side,
          along_y ? side : 0.,
          other > 0. ? other : 0.,
          cos(a.tilt),
          sin(a.tilt),
          a.x_corner,
          a.y_corner};
}

}  // namespace steps
}  // namespace trackplex::beam
