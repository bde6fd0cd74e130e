// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Local frames of modules, and conversions of points and directions to and from them.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/vector.hpp>

#include <string>
#include <string_view>

namespace trackplex::geometry {

/// Local frame of a plane module: the orthogonal unit vectors u and v lie in the module, and
/// w = u x v is its normal, so that the frame is right-handed. Local coordinates are the distances
/// from the centre along u, v and w in cm.
template <class Number>
struct Frame {
  using Real = Number;   ///< number type of a kernel
  Vector3<Real> centre,  ///< origin of the frame, cm
      u,                 ///< first axis, a unit vector
      v;                 ///< second axis, a unit vector

  /// Returns w, the unit vector normal to the module.
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> normal() const { return cross(u, v); }

  /// Returns the components along u, v and w of a direction.
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> direction_to_local(const Vector3<Real>& global) const {
    return {{dot(global, u), dot(global, v), dot(global, normal())}};
  }
  /// Returns the components along x, y and z of a direction.
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> direction_to_global(const Vector3<Real>& local) const {
    const auto w = normal();
    Vector3<Real> global;
    for (int i = 0; i < 3; ++i)
      global(i) = fma(local(0), u(i), fma(local(1), v(i), local(2) * w(i)));
    return global;
  }
};

/// Returns the local coordinates (u, v, w) of a point, cm.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> to_local(const Frame<Real>& frame,
                                                   const Vector3<Real>& point) {
  return frame.direction_to_local(point - frame.centre);
}

/// Returns the coordinates (x, y, z) of a point given as (u, v, w), cm.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> to_global(const Frame<Real>& frame,
                                                    const Vector3<Real>& local) {
  return frame.centre + frame.direction_to_global(local);
}

/// Describes why three axes do not form a right-handed frame, or returns an empty text.
/// Lengths and angles may be off by `tolerance`.
std::string problem_of_axes(const Vector3<double>& u, const Vector3<double>& v,
                            const Vector3<double>& w, double tolerance = 1e-5);

/// Returns the frame with axes given as three vectors, for example the columns of a rotation
/// matrix. Small rounding errors are removed: u and v become orthogonal unit vectors.
/// @throws UsageError, beginning with `where`, if the axes do not form a right-handed frame
Frame<double> frame_of_axes(const Vector3<double>& centre, const Vector3<double>& u,
                            const Vector3<double>& v, const Vector3<double>& w,
                            std::string_view where = "frame_of_axes");

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/frame.impl.hpp>
#endif
