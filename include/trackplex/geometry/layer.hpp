// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Layers for kernels, and their two natural coordinates. Lengths are in cm,
/// angles in rad.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/check_numbers.hpp>
#include <trackplex/geometry/surface.hpp>

namespace trackplex::geometry {

/// Position on a layer in its natural coordinates: azimuth and z on a barrel, azimuth and distance
/// from the z axis on a disk, u . r and v . r on a plane.
template <class Real>
struct LayerCoordinates {
  Real first,  ///< azimuth in [-pi, pi], rad; for a plane u . r, cm
      second;  ///< z, distance from the z axis, or v . r, cm
};

/// Gradients of the natural coordinates with respect to the point.
template <class Real>
struct LayerGradients {
  Vector3<Real> first,  ///< of the azimuth, rad/cm; of u . r, without a unit
      second;           ///< without a unit
};

/// Layer for kernels, one in each lane.
template <class Number>
struct LaneLayer {
  using Real = Number;     ///< number type of a kernel
  Surface<Real> surface;   ///< near which the modules are
  Real low,                ///< see Layer::low, cm
      high;                ///< see Layer::high, cm
  Real radiation_lengths;  ///< see Layer::radiation_lengths
  Vector3<Real> u;         ///< for a plane: unit vector in it, else 0
  MaskOf<Real> is_barrel,  ///< lanes with a barrel
      is_plane;            ///< lanes with a plane; the rest are disks

  /// Returns the second axis of a plane, n x u.
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> v() const { return cross(surface.normal, u); }

  /// Returns the natural coordinates of a point, which need not be on the surface.
  KOKKOS_FORCEINLINE_FUNCTION LayerCoordinates<Real> coordinates(const Vector3<Real>& point) const {
    const LayerCoordinates<Real> on_plane{dot(u, point), dot(v(), point)};
    if (all_of(is_plane)) return on_plane;
    const Real azimuth = atan2(point(1), point(0));
    const Real second = select(is_barrel, point(2), radius(point));
    return {select(is_plane, on_plane.first, azimuth), select(is_plane, on_plane.second, second)};
  }

  /// Returns the gradients of the natural coordinates at a point, which must not be on the z axis
  /// if the layer is a barrel or disk.
  KOKKOS_FORCEINLINE_FUNCTION LayerGradients<Real> gradients(const Vector3<Real>& point) const {
    const LayerGradients<Real> on_plane{u, v()};
    if (all_of(is_plane)) return on_plane;
    const Real r = select(is_plane, Real(1), radius(point)), per_r = Real(1) / r;
    const Real x = point(0) * per_r, y = point(1) * per_r, zero(0);
    const auto choose = [&](const Real& plane, const Real& other) {
      return select(is_plane, plane, other);
    };
    return {{{choose(u(0), -(y * per_r)), choose(u(1), x * per_r), choose(u(2), zero)}},
            {{choose(on_plane.second(0), select(is_barrel, zero, x)),
              choose(on_plane.second(1), select(is_barrel, zero, y)),
              choose(on_plane.second(2), select(is_barrel, Real(1), zero))}}};
  }

  /// Returns the lanes whose point is between `low` and `high`, or at most `tolerance` (cm) beyond.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> contains(const Vector3<Real>& point,
                                                    const Real& tolerance) const {
    const Real place = select(is_barrel, point(2), radius(point));
    return place >= low - tolerance && place <= high + tolerance;
  }

 private:
  static KOKKOS_FORCEINLINE_FUNCTION Real radius(const Vector3<Real>& point) {
    return sqrt(fma(point(0), point(0), point(1) * point(1)));
  }
};

/// Returns the first axis of a plane: u of its first module, projected onto the plane. Without
/// modules it is in the plane and orthogonal to the y axis: x if the normal is z. 0 for other
/// layers.
Vector3<double> first_axis(const DetectorDescription& detector, int number);

/// Returns a layer of a description in the form for kernels, in double precision.
LaneLayer<double> lane_layer(const DetectorDescription& detector, int number);

/// Returns the reach of a layer: the largest distance (cm) of a corner or centre of its modules
/// from its surface; 0 without modules.
double reach_of_layer(const DetectorDescription& detector, int number);

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/layer.impl.hpp>
#endif
