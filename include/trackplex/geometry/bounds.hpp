// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Bounds of modules in their local frame.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/math.hpp>

#include <array>
#include <numbers>
#include <vector>

namespace trackplex::geometry {

/// Shape of a module.
enum class BoundsKind {
  rectangle,  ///< |u| <= half_u, |v| <= half_v
  trapezoid,  ///< |v| <= half_v, |u| up to a limit that changes linearly with v
  annulus     ///< sector of a ring about the origin of the frame, centred on the v axis
};

/// Bounds of modules for kernels: one shape in each lane.
template <class Number>
struct LaneBounds {
  using Real = Number;  ///< number type of a kernel
  /// For straight shapes: half width at v = 0 (cm), its slope along v, half length along v (cm).
  /// For an annulus: inner and outer radius (cm), cosine of half the opening angle.
  Real size[3];
  MaskOf<Real> is_annulus;  ///< lanes with an annulus

  /// Returns the lanes whose point (u, v), in cm, is inside or at most `tolerance` (cm) outside.
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> contains(const Real& u, const Real& v,
                                                    const Real& tolerance) const {
    const auto straight =
        abs(v) <= size[2] + tolerance && abs(u) <= fma(size[1], v, size[0]) + tolerance;
    if (!any_of(is_annulus)) return straight;
    const Real r = sqrt(fma(u, u, v * v));
    const Real sine = sqrt(max(fma(-size[2], size[2], Real(1)), Real(0)));
    const auto ring = r >= size[0] - tolerance && r <= size[1] + tolerance &&
                      v >= fma(r, size[2], -(tolerance * sine));
    return (is_annulus && ring) || (!is_annulus && straight);
  }
};

/// Bounds of a module on the host. Lengths are in cm.
struct Bounds {
  BoundsKind kind = BoundsKind::rectangle;  ///< shape
  /// For a rectangle or trapezoid: half width in u at v = -half_v and at v = +half_v, and half_v.
  /// For an annulus: inner and outer radius, and half the opening angle in rad.
  std::array<double, 3> size{};

  /// Returns a rectangle of 2 `half_u` x 2 `half_v`.
  static Bounds rectangle(double half_u, double half_v) {
    return {BoundsKind::rectangle, {half_u, half_u, half_v}};
  }
  /// Returns a trapezoid whose half width is `half_u_low` at v = -`half_v` and `half_u_high` at
  /// v = `half_v`.
  static Bounds trapezoid(double half_u_low, double half_u_high, double half_v) {
    return {BoundsKind::trapezoid, {half_u_low, half_u_high, half_v}};
  }
  /// Returns a ring between two radii, or its sector within `half_angle` (rad) of the v axis.
  static Bounds annulus(double inner, double outer, double half_angle = std::numbers::pi) {
    return {BoundsKind::annulus, {inner, outer, half_angle}};
  }

  /// Whether the sizes are finite and enclose an area.
  bool is_valid() const;

  /// Returns the numbers of LaneBounds::size.
  std::array<double, 3> lane_size() const {
    const auto [a, b, c] = size;
    if (kind == BoundsKind::annulus) return {a, b, c == std::numbers::pi ? -1. : cos(c)};
    return {0.5 * (a + b), (b - a) / (2. * c), c};
  }

  /// Whether a point (u, v) is inside or at most `tolerance` outside.
  bool contains(double u, double v, double tolerance = 0.) const {
    const auto [a, b, c] = lane_size();
    return LaneBounds<double>{{a, b, c}, kind == BoundsKind::annulus}.contains(u, v, tolerance);
  }

  /// Returns the corners (u, v), counterclockwise. Arcs are approximated by chords of `arc_step`
  /// (rad) or less; a whole ring is a line along the outer circle and back along the inner one.
  std::vector<std::array<double, 2>> outline(double arc_step = std::numbers::pi / 16.) const;
};

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/bounds.impl.hpp>
#endif
