// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>

namespace trackplex::beam::detail {

/// Inverse hyperbolic sine of x/rho, with r^2 = x^2 + rho^2 and rho > 0, for x above 0.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real asinh_of_ratio(const Real& x, const Real& rho, const Real& r) {
  return log1p(fma(x, x / (rho + r), x) / rho);
}

/// Primitive of 1/r in x, y and z above 0, odd in each: its sum over the corners of a cell, with
/// the signs of an integral, is the potential of the cell, uniformly filled with unit density,
/// times 4 pi eps0. J. Qiang et al., Phys. Rev. ST Accel. Beams 9 (2006) 044204.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real primitive_of_inverse_distance(const Real& x, const Real& y,
                                                               const Real& z) {
  const Real half(0.5), xx = x * x, yy = y * y, zz = z * z;
  const Real r = sqrt(xx + yy + zz), xy = x * y, xz = x * z, yz = y * z;
  const Real angles = fma(xx, atan2(yz, x * r), fma(yy, atan2(xz, y * r), zz * atan2(xy, z * r)));
  const Real logarithms =
      fma(yz, asinh_of_ratio(x, sqrt(yy + zz), r),
          fma(xz, asinh_of_ratio(y, sqrt(xx + zz), r), xy * asinh_of_ratio(z, sqrt(xx + yy), r)));
  return fma(-half, angles, logarithms);
}

/// Primitive of -ln(x^2 + y^2) in x and y above 0, odd in both: the same in two dimensions, for
/// charge per length.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real primitive_of_logarithm(const Real& x, const Real& y) {
  const Real xx = x * x, yy = y * y, xy = x * y;
  return fma(xy, Real(3) - log(xx + yy), -fma(xx, atan2(y, x), yy * atan2(x, y)));
}

}  // namespace trackplex::beam::detail
