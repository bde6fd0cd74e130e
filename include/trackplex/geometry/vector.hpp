// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Points and directions in space.

#include <trackplex/core/math.hpp>
#include <trackplex/matriplex/matrix.hpp>
#include <trackplex/matriplex/matrix_products.hpp>

namespace trackplex::geometry {

/// Point, direction or vector in space: x, y, z.
template <class Real>
using Vector3 = Vector<Real, 3>;

/// Returns the scalar product of two vectors.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real dot(const Vector3<Real>& a, const Vector3<Real>& b) {
  return fma(a(0), b(0), fma(a(1), b(1), a(2) * b(2)));
}
/// Returns the vector product of two vectors.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> cross(const Vector3<Real>& a, const Vector3<Real>& b) {
  return {{fma(a(1), b(2), -(a(2) * b(1))), fma(a(2), b(0), -(a(0) * b(2))),
           fma(a(0), b(1), -(a(1) * b(0)))}};
}
/// Returns a + factor * b.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> add_scaled(const Vector3<Real>& a, const Real& factor,
                                                     const Vector3<Real>& b) {
  return {{fma(factor, b(0), a(0)), fma(factor, b(1), a(1)), fma(factor, b(2), a(2))}};
}

}  // namespace trackplex::geometry
