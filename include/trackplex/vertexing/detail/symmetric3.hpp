// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

namespace trackplex::vertexing::detail {

/// Symmetric 3 x 3 matrix.
template <class T>
struct Symmetric3 {
  T xx, xy, yy, xz, yz, zz;
};

/// Inverts a matrix by its decomposition L D L^T; false if it is not positive definite.
template <class T>
KOKKOS_FUNCTION bool invert(const Symmetric3<T>& m, Symmetric3<T>& inverse) {
  if (!(m.xx > T(0))) return false;
  const T per_x = T(1) / m.xx, l = m.xy * per_x, a = m.xz * per_x;
  const T d_y = fma(-l, m.xy, m.yy);
  if (!(d_y > T(0))) return false;
  const T per_y = T(1) / d_y, b = fma(-l, m.xz, m.yz) * per_y;
  const T d_z = fma(-(b * b), d_y, fma(-a, m.xz, m.zz));
  if (!(d_z > T(0))) return false;
  const T per_z = T(1) / d_z, p = fma(l, b, -a);  // L^-1 = (1; -l, 1; p, -b, 1)
  inverse.xx = fma(p * p, per_z, fma(l * l, per_y, per_x));
  inverse.xy = -fma(p * b, per_z, l * per_y);
  inverse.yy = fma(b * b, per_z, per_y);
  inverse.xz = p * per_z;
  inverse.yz = -(b * per_z);
  inverse.zz = per_z;
  return true;
}

}  // namespace trackplex::vertexing::detail
