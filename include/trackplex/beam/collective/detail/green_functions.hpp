// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>

namespace trackplex::beam::detail {

/// Asinh(x / sqrt(y^2 + z^2)) with few divisions; the sum of squares is above 0.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real asinh_of_ratio(const Real& x, const Real& y, const Real& z) {
  const Real ratio = abs(x) / sqrt(fma(y, y, z * z)), square = ratio * ratio;
  return copysign(log1p(ratio + square / (Real(1) + sqrt(Real(1) + square))), x);
}

/// Primitive of 1/r in x, y and z, odd in each: its sum over the corners of a cell, with the signs
/// of an integral, is the potential of the cell, uniformly filled with unit density, times 4 pi
/// eps0. No coordinate may be 0. J. Qiang et al., Phys. Rev. ST Accel. Beams 9 (2006) 044204.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real primitive_of_inverse_distance(const Real& x, const Real& y,
                                                               const Real& z) {
  const Real half(0.5), r = sqrt(fma(x, x, fma(y, y, z * z)));
  const Real xx = half * x * x, yy = half * y * y, zz = half * z * z;
  const Real angles = fma(xx, atan((y * z) / (x * r)),
                          fma(yy, atan((x * z) / (y * r)), zz * atan((x * y) / (z * r))));
  const Real logarithms = fma(y * z, asinh_of_ratio(x, y, z),
                              fma(x * z, asinh_of_ratio(y, x, z), x * y * asinh_of_ratio(z, x, y)));
  return logarithms - angles;
}

/// Primitive of -ln(x^2 + y^2) in x and y, odd in both: the same in two dimensions, for charge per
/// length.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real primitive_of_logarithm(const Real& x, const Real& y) {
  const Real xx = x * x, yy = y * y, xy = x * y;
  return fma(xy, Real(3) - log(xx + yy), -fma(xx, atan(y / x), yy * atan(x / y)));
}

}  // namespace trackplex::beam::detail
