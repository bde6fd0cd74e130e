// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Magnetic fields from maps: values on the nodes of a regular grid in a memory space, between
/// which the field is interpolated linearly along each axis. The field is continuous and its
/// gradient is that of the interpolation, which jumps at the faces of cells.

#include <trackplex/core/copy.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/geometry/field.hpp>
#include <trackplex/geometry/field_grid.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

namespace trackplex::geometry {

/// Field outside the grid of a map.
enum class OutsideOfMap {
  unknown,  ///< unknown: tracks that leave the grid do not reach their surface
  zero      ///< no field
};

namespace detail {

/// Place of a point along an axis of a grid.
template <class Real>
struct CellOf {
  Real cell,            ///< number of the cell, clamped into the grid
      part;             ///< fraction of the cell below the point, clamped to 0 to 1
  MaskOf<Real> inside;  ///< lanes within the grid
};

/// Axis of a grid in kernels. Its first and last node are inside, whatever the rounding of a point
/// on them.
template <class T>
struct MapAxis {
  T first, per_cell;
  T cells;
  T low, high;  ///< limits of what is inside, in cells

  MapAxis() = default;
  explicit MapAxis(const GridAxis& axis)
      : first(T(axis.first)), per_cell(T(1. / axis.cell())), cells(T(axis.nodes - 1)) {
    const double roundings = 8. * double(std::numeric_limits<T>::epsilon());
    const double margin =
        roundings *
        (axis.nodes + std::max(std::fabs(axis.first), std::fabs(axis.last)) / axis.cell());
    low = T(-margin);
    high = T(axis.nodes - 1 + margin);
  }

  /// Coordinate in units of cells.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real in_cells(const Real& at) const {
    return (at - Real(first)) * Real(per_cell);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION CellOf<Real> find(const Real& at) const {
    const Real u = in_cells(at), end(cells);
    const Real clamped = max(Real(0), min(end, u));  // a NaN becomes the end
    const Real cell = min(floor(clamped), end - Real(1));
    return {cell, clamped - cell, u >= Real(low) && u <= Real(high)};
  }

  /// Coordinate, in cells, just beyond the face of the cell of u in the direction of `sign`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real behind_face(const Real& u, const Real& sign) const {
    const Real margin = sign * Real(sizeof(T) == 4 ? T(0x1p-10) : T(0x1p-22));
    const Real face = floor(u + margin) + select(sign > Real(0), Real(1), Real(0));
    return fma(Real(T(0.5)), margin, face);
  }

  /// Path length, cm, to just beyond the next face along the direction t.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real path_to_face(const Real& at, const Real& t) const {
    const Real u = in_cells(at);
    return abs(behind_face(u, copysign(Real(1), t)) - u) / abs(t * Real(per_cell));
  }
};

/// a + part (b - a)
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real between(const Real& a, const Real& b, const Real& part) {
  return fma(part, b - a, a);
}

/// Allocates the records of a map.
template <class T, class ExecutionSpace>
auto map_records(const ExecutionSpace& exec, const std::vector<Quartet<T>>& records) {
  const std::size_t limit = std::size_t(1) << std::min(std::numeric_limits<T>::digits, 31);
  if (records.size() > limit) throw CapacityError("field map", "nodes", records.size(), limit);
  return to_device<Quartet<T>>(exec, "Trackplex::Geometry::field_map", records);
}

}  // namespace detail

/// Field from a map on a grid in x, y and z, interpolated trilinearly; a vector field, see
/// geometry/field.hpp.
///
/// An integration step is at most as long as the shortest edge of a cell: its error is then
/// within the error of the interpolation. In double precision it is at most half as long and ends
/// at the faces of cells, so that its error is far below.
///
/// @tparam T scalar of the map and of the kernels that use it
/// @tparam MemorySpace memory space of the map
template <class T, class MemorySpace>
class FieldMap {
 public:
  FieldMap() = default;

  /// Copies a grid to the memory space. Waits for the instance.
  /// @param exec instance of an execution space of the memory space
  /// @param grid field on the nodes
  /// @param outside field outside the grid
  /// @throws UsageError if the grid is not valid, see `check_field_grid`
  /// @throws CapacityError if it has more than 2^24 nodes (float) or 2^31 (double)
  template <class ExecutionSpace>
  FieldMap(const ExecutionSpace& exec, const FieldGrid& grid,
           OutsideOfMap outside = OutsideOfMap::unknown)
      : x_(grid.x), y_(grid.y), z_(grid.z), zero_outside_(outside == OutsideOfMap::zero) {
    check_field_grid(grid);
    std::vector<Quartet<T>> records;
    records.reserve(grid.size());
    for (const auto& b : grid.tesla) records.push_back({T(b[0]), T(b[1]), T(b[2]), T(0)});
    records_ = detail::map_records<T>(exec, records);
    stride_y_ = grid.z.nodes;
    stride_x_ = grid.y.nodes * grid.z.nodes;
    step_limit_ = T(std::min({grid.x.cell(), grid.y.cell(), grid.z.cell()}));
  }

  /// Returns B (T) at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> operator()(const Real& x, const Real& y,
                                                       const Real& z) const {
    return with_gradient(x, y, z).tesla;
  }

  /// Returns B and its derivatives at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION FieldAt<Real> with_gradient(const Real& x, const Real& y,
                                                          const Real& z) const {
    static_assert(std::is_same_v<ScalarOf<Real>, T>, "A field map has the precision of kernels.");
    const auto i = x_.find(x), j = y_.find(y), k = z_.find(z);
    const Real node = fma(i.cell, Real(T(stride_x_)), fma(j.cell, Real(T(stride_y_)), k.cell));
    const auto first = convert<IntegerOf<Real>>(node);
    const auto low = plane(first, j.part, k.part);
    const auto high = plane(first + IntegerOf<Real>(stride_x_), j.part, k.part);
    FieldAt<Real> at;
    for (int b = 0; b < 3; ++b) {
      at.tesla(b) = detail::between(low.value[b], high.value[b], i.part);
      at.gradient(b, 0) = (high.value[b] - low.value[b]) * Real(x_.per_cell);
      at.gradient(b, 1) = detail::between(low.dy[b], high.dy[b], i.part) * Real(y_.per_cell);
      at.gradient(b, 2) = detail::between(low.dz[b], high.dz[b], i.part) * Real(z_.per_cell);
    }
    if (zero_outside_) {
      const auto inside = i.inside && j.inside && k.inside;
      for (auto& b : at.tesla.elements) b = select(inside, b, Real(0));
      for (auto& d : at.gradient.elements) d = select(inside, d, Real(0));
    }
    return at;
  }

  /// Returns the max length of an integration step, cm: the shortest edge of a cell.
  KOKKOS_FORCEINLINE_FUNCTION T step_limit() const { return step_limit_; }

  /// Returns the path length (cm) from a point to the next face of a cell along a direction.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real smooth_path(const Vector3<Real>& point,
                                               const Vector3<Real>& direction) const {
    return min(
        x_.path_to_face(point(0), direction(0)),
        min(y_.path_to_face(point(1), direction(1)), z_.path_to_face(point(2), direction(2))));
  }

  /// Returns the lanes in which the field is known at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> covers(const Real& x, const Real& y,
                                                  const Real& z) const {
    return (x_.find(x).inside && y_.find(y).inside && z_.find(z).inside) ||
           MaskOf<Real>(zero_outside_);
  }

 private:
  /// Field on a plane of constant x, with its differences per cell.
  template <class Real>
  struct Plane {
    Real value[3], dy[3], dz[3];
  };
  /// Field on an edge along z, with its difference.
  template <class Real>
  struct Edge {
    Real value[3], dz[3];
  };

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Edge<Real> edge(const IntegerOf<Real>& node, const Real& part) const {
    const auto a = gather_quartets<Real>(records_.data(), node);
    const auto b = gather_quartets<Real>(records_.data(), node + IntegerOf<Real>(1));
    const Real dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
    return {{fma(part, dx, a.x), fma(part, dy, a.y), fma(part, dz, a.z)}, {dx, dy, dz}};
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Plane<Real> plane(const IntegerOf<Real>& node, const Real& part_y,
                                                const Real& part_z) const {
    const auto low = edge(node, part_z);
    const auto high = edge(node + IntegerOf<Real>(stride_y_), part_z);
    Plane<Real> plane;
    for (int b = 0; b < 3; ++b) {
      plane.dy[b] = high.value[b] - low.value[b];
      plane.value[b] = fma(part_y, plane.dy[b], low.value[b]);
      plane.dz[b] = detail::between(low.dz[b], high.dz[b], part_y);
    }
    return plane;
  }

  detail::MapAxis<T> x_, y_, z_;
  Kokkos::View<Quartet<T>*, MemorySpace> records_;  // B_x, B_y, B_z of a node
  int stride_x_ = 0, stride_y_ = 0;
  T step_limit_ = T(0);
  bool zero_outside_ = false;
};

/// Field from a map on a grid in r and z, symmetric about the z axis and interpolated bilinearly; a
/// vector field, see geometry/field.hpp. Its steps are those of a `FieldMap`. On the z axis B_r is
/// 0, also where that of the grid is not quite, see `max_axis_field`.
///
/// @tparam T scalar of the map and of the kernels that use it
/// @tparam MemorySpace memory space of the map
template <class T, class MemorySpace>
class AxisymmetricFieldMap {
 public:
  AxisymmetricFieldMap() = default;

  /// Copies a grid to the memory space. Waits for the instance.
  /// @param exec instance of an execution space of the memory space
  /// @param grid field on the nodes
  /// @param outside field outside the grid
  /// @throws UsageError if the grid is not valid, see `check_field_grid`
  /// @throws CapacityError if it has more than 2^24 nodes (float) or 2^31 (double)
  template <class ExecutionSpace>
  AxisymmetricFieldMap(const ExecutionSpace& exec, const AxisymmetricFieldGrid& grid,
                       OutsideOfMap outside = OutsideOfMap::unknown)
      : r_(grid.r), z_(grid.z), zero_outside_(outside == OutsideOfMap::zero) {
    check_field_grid(grid);
    std::vector<Quartet<T>> records;
    records.reserve(grid.size());
    for (int i = 0; i < grid.r.nodes; ++i)
      for (int j = 0; j < grid.z.nodes; ++j) {
        auto a = grid.tesla[grid.index(i, j)];
        auto b = grid.tesla[grid.index(i, std::min(j + 1, grid.z.nodes - 1))];
        if (i == 0 && grid.r.first == 0.) a[0] = b[0] = 0.;
        records.push_back({T(a[0]), T(a[1]), T(b[0]), T(b[1])});
      }
    records_ = detail::map_records<T>(exec, records);
    stride_ = grid.z.nodes;
    step_limit_ = T(std::min(grid.r.cell(), grid.z.cell()));
    axis_ = grid.r.first == 0. ? T(0.5 * grid.r.cell()) : T(0);
  }

  /// Returns B (T) at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Vector3<Real> operator()(const Real& x, const Real& y,
                                                       const Real& z) const {
    return with_gradient(x, y, z).tesla;
  }

  /// Returns B and its derivatives at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION FieldAt<Real> with_gradient(const Real& x, const Real& y,
                                                          const Real& z) const {
    static_assert(std::is_same_v<ScalarOf<Real>, T>, "A field map has the precision of kernels.");
    const Real r = sqrt(fma(x, x, y * y));
    const auto i = r_.find(r), j = z_.find(z);
    const auto first = convert<IntegerOf<Real>>(fma(i.cell, Real(T(stride_)), j.cell));
    const auto low = gather_quartets<Real>(records_.data(), first);
    const auto high = gather_quartets<Real>(records_.data(), first + IntegerOf<Real>(stride_));
    const Real r_low = detail::between(low.x, low.z, j.part);
    const Real r_high = detail::between(high.x, high.z, j.part);
    const Real z_low = detail::between(low.y, low.w, j.part);
    const Real z_high = detail::between(high.y, high.w, j.part);
    const Real per_dr(r_.per_cell), per_dz(z_.per_cell);
    const Real br_r = (r_high - r_low) * per_dr, bz_r = (z_high - z_low) * per_dr;
    const Real br_z = detail::between(low.z - low.x, high.z - high.x, i.part) * per_dz;
    const Real bz_z = detail::between(low.w - low.y, high.w - high.y, i.part) * per_dz;
    // B_r / r is the slope of B_r in the cell at the axis
    const Real per_r = Real(1) / max(r, Real(T(1e-30)));
    const Real b_per_r =
        select(r < Real(axis_), br_r, detail::between(r_low, r_high, i.part) * per_r);
    const Real cx = x * per_r, cy = y * per_r, rest = br_r - b_per_r;
    const Real across = cx * cy * rest;
    FieldAt<Real> at{{{b_per_r * x, b_per_r * y, detail::between(z_low, z_high, i.part)}},
                     {fma(cx * cx, rest, b_per_r), across, br_z * cx, across,
                      fma(cy * cy, rest, b_per_r), br_z * cy, bz_r * cx, bz_r * cy, bz_z}};
    if (zero_outside_) {
      const auto inside = i.inside && j.inside;
      for (auto& b : at.tesla.elements) b = select(inside, b, Real(0));
      for (auto& d : at.gradient.elements) d = select(inside, d, Real(0));
    }
    return at;
  }

  /// Returns the max length of an integration step, cm: the shortest edge of a cell.
  KOKKOS_FORCEINLINE_FUNCTION T step_limit() const { return step_limit_; }

  /// Returns the path length (cm) from a point to the next face of a cell along a direction, at
  /// most an eighth of a cell in the cells at the axis.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real smooth_path(const Vector3<Real>& point,
                                               const Vector3<Real>& direction) const {
    const Real x = point(0), y = point(1), tx = direction(0), ty = direction(1);
    const Real r2 = fma(x, x, y * y), slope = fma(x, tx, y * ty), t2 = fma(tx, tx, ty * ty);
    const Real u = r_.in_cells(sqrt(r2));
    const auto square_to = [&](const Real& sign) {  // of the root, to the face on this side
      const Real to = fma(r_.behind_face(u, sign), Real(T(1) / r_.per_cell), Real(r_.first));
      return select(to > Real(0), fma(slope, slope, t2 * (to * to - r2)), Real(-1));
    };
    const Real inner = square_to(Real(-1)), outer = square_to(Real(1));
    const auto inwards = slope < Real(0) && inner > Real(0);
    const Real root = sqrt(max(select(inwards, inner, outer), Real(0)));
    const Real across = select(inwards, -slope - root, root - slope) / t2;
    const Real any(std::numeric_limits<T>::infinity());
    const Real to_face =
        min(z_.path_to_face(point(2), direction(2)), select(t2 > Real(0), across, any));
    // B_z has the shape of a cone about the axis
    return min(to_face, select(r2 < Real(T(4) * axis_ * axis_), Real(T(0.25) * axis_), any));
  }

  /// Returns the lanes in which the field is known at a point (cm).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> covers(const Real& x, const Real& y,
                                                  const Real& z) const {
    return (r_.find(sqrt(fma(x, x, y * y))).inside && z_.find(z).inside) ||
           MaskOf<Real>(zero_outside_);
  }

 private:
  detail::MapAxis<T> r_, z_;
  Kokkos::View<Quartet<T>*, MemorySpace>
      records_;  // B_r, B_z of a node and of the next one along z
  int stride_ = 0;
  T step_limit_ = T(0), axis_ = T(0);
  bool zero_outside_ = false;
};

}  // namespace trackplex::geometry
