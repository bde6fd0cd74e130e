// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Taylor maps of the elements of a beam line, in the coordinates of beam/coordinates.hpp: s is
/// relative to the reference particle, so that a drift has no constant. Coefficients as in the
/// accelerator code elegant (M. Borland); K. L. Brown, "A first- and second-order matrix theory for
/// the design of beam transport systems", SLAC-75.

#include <trackplex/beam/detail/integrated_map.hpp>
#include <trackplex/beam/transfer_map.hpp>

#include <cmath>
#include <utility>

namespace trackplex::beam {

/// A drift of some length, m. Exact to third order in slopes but for the path length.
inline TransferMap drift_map(double length, int order) {
  TransferMap map = TransferMap::identity(order);
  map.R(1, 2) = map.R(3, 4) = length;
  if (order >= 2) map.T(5, 2, 2) = map.T(5, 4, 4) = 0.5 * length;
  return map;
}

namespace detail {

/// cos and sin of one plane of a quadrupole, or their hyperbolic counterparts, and what the maps
/// need of them.
struct PlaneOptics {
  double c, s;  ///< cos(kL), sin(kL)/k
  double k2;    ///< focusing strength, 1/m^2; negative: defocusing

  PlaneOptics(double strength, double length) : k2(strength) {
    const double k = std::sqrt(std::abs(strength)), f = k * length;
    if (strength == 0.) {
      c = 1.;
      s = length;
    } else if (strength > 0.) {
      c = std::cos(f);
      s = std::sin(f) / k;
    } else {
      c = std::cosh(f);
      s = std::sinh(f) / k;
    }
  }
};

/// Coefficients of the coordinate number a and its slope a + 1 (1 or 3) in a quadrupole.
inline void add_quadrupole_plane(TransferMap& map, int a, double strength, double length) {
  const PlaneOptics plane(strength, length);
  const double c = plane.c, s = plane.s, k2 = plane.k2, l = length;
  const int b = a + 1;
  map.R(a, a) = map.R(b, b) = c;
  map.R(a, b) = s;
  map.R(b, a) = -k2 * s;
  if (map.order < 2) return;
  map.T(a, a, 6) = map.T(b, b, 6) = 0.5 * k2 * l * s;
  map.T(a, b, 6) = 0.5 * (s - l * c);
  map.T(b, a, 6) = 0.5 * k2 * (l * c + s);
  map.T(5, a, a) = 0.25 * k2 * (l - s * c);
  map.T(5, a, b) = -0.5 * k2 * s * s;
  map.T(5, b, b) = 0.25 * (l + s * c);
}

}  // namespace detail

/// A quadrupole of length m and strength k1 (1/m^2), positive: focusing in x. No fringe fields.
inline TransferMap quadrupole_map(double length, double k1, int order) {
  if (order > 2) return detail::integrated_map({.length = length, .k1 = k1}, order);
  TransferMap map = TransferMap::identity(order);
  detail::add_quadrupole_plane(map, 1, k1, length);
  detail::add_quadrupole_plane(map, 3, -k1, length);
  return map;
}

/// A sextupole of length m and strength k2 (1/m^3).
inline TransferMap sextupole_map(double length, double k2, int order) {
  if (order > 2) return detail::integrated_map({.length = length, .k2 = k2}, order);
  TransferMap map = drift_map(length, order);
  if (order < 2) return map;
  const double q = 0.5 * k2 * length, q2 = q * length, q3 = q2 * length, q4 = q3 * length;
  map.T(2, 1, 1) = -q;
  map.T(2, 3, 3) = q;
  map.T(4, 3, 1) = 2. * q;
  map.T(1, 1, 1) = -0.5 * q2;
  map.T(1, 3, 3) = 0.5 * q2;
  map.T(2, 2, 1) = -q2;
  map.T(2, 4, 3) = map.T(3, 3, 1) = map.T(4, 4, 1) = map.T(4, 3, 2) = q2;
  map.T(1, 2, 1) = map.T(2, 2, 2) = -q3 / 3.;
  map.T(1, 4, 3) = map.T(3, 4, 1) = map.T(3, 3, 2) = map.T(2, 4, 4) = q3 / 3.;
  map.T(4, 4, 2) = 2. * q3 / 3.;
  map.T(1, 2, 2) = -q4 / 12.;
  map.T(1, 4, 4) = q4 / 12.;
  map.T(3, 4, 2) = q4 / 6.;
  return map;
}

/// A bending magnet with a curved axis (sector bend) and its edges.
struct SectorBend {
  double length = 0.;    ///< m, along the axis
  double angle = 0.;     ///< rad; positive: towards negative x
  double k1 = 0.;        ///< quadrupole strength, 1/m^2
  double k2 = 0.;        ///< sextupole strength, 1/m^3
  double entrance = 0.;  ///< angle of the entrance edge, rad: positive as in a rectangular magnet
  double exit = 0.;      ///< angle of the exit edge, rad
  double half_gap = 0.;  ///< m
  double fringe = 0.5;   ///< integral of the fringe field (FINT)
  // Edges of angle 0 have effects of second order, too.
  bool entrance_edge = true;  ///< whether the entrance has the effects of an edge
  bool exit_edge = true;
};

namespace detail {

/// The edge of a bend: side is -1 at the entrance, +1 at the exit.
inline TransferMap edge_map(const SectorBend& bend, double edge, int side, int order) {
  TransferMap map = TransferMap::identity(order);
  const double h = bend.angle / bend.length, n = -bend.k1 / (h * h);
  const double tangent = std::tan(edge), sec = 1. / std::cos(edge), sine = std::sin(edge);
  const double psi = 2. * bend.half_gap * bend.fringe * h * sec * (1. + sine * sine);
  const double tan2 = tangent * tangent, sec2 = sec * sec;
  map.R(2, 1) = h * tangent;
  map.R(4, 3) = -h * std::tan(edge - psi);
  if (order < 2) return map;
  map.T(1, 1, 1) = 0.5 * side * h * tan2;
  map.T(1, 3, 3) = -0.5 * side * h * sec2;
  map.T(2, 2, 1) = map.T(3, 3, 1) = -side * h * tan2;
  map.T(4, 4, 1) = map.T(2, 4, 3) = side * h * tan2;
  map.T(4, 3, 2) = side * h * sec2;
  const double h2 = h * h;
  map.T(2, 1, 1) = side < 0 ? -n * h2 * tangent : -h2 * (n + 0.5 * tan2) * tangent;
  map.T(2, 3, 3) = side < 0 ? h2 * (n + 0.5 + tan2) * tangent : h2 * (n - 0.5 * tan2) * tangent;
  map.T(4, 3, 1) = h2 * (2. * n + (side > 0 ? sec2 : 0.)) * tangent;
  map.T(2, 6, 1) = -map.R(2, 1);
  const double sec_psi = 1. / std::cos(edge - psi);
  map.T(4, 6, 3) = -map.R(4, 3) - psi * h * sec_psi * sec_psi;
  return map;
}

}  // namespace detail

/// The bend that a particle meets on its way back: entrance and exit change places.
inline SectorBend reversed(SectorBend bend) {
  std::swap(bend.entrance, bend.exit);
  std::swap(bend.entrance_edge, bend.exit_edge);
  return bend;
}

/// The map of a sector bend, to second order at most.
/// @throws UsageError if the length or the angle is 0 (that is a quadrupole), or the order 3
inline TransferMap sector_bend_map(const SectorBend& bend, int order) {
  if (!(bend.length > 0.) || bend.angle == 0.)
    throw UsageError("bend", "it needs a length above 0 and an angle", {},
                     "use a quadrupole or a drift");
  if (order > 2) throw UsageError("bend", "it has a map of first or second order only");
  TransferMap map = detail::integrated_map(
      {.length = bend.length, .h = bend.angle / bend.length, .k1 = bend.k1, .k2 = bend.k2}, order);
  if (bend.entrance_edge) map = concatenated(detail::edge_map(bend, bend.entrance, -1, order), map);
  if (bend.exit_edge) map = concatenated(map, detail::edge_map(bend, bend.exit, 1, order));
  return map;
}

/// Changes of the slopes at one place, rad.
inline TransferMap kick_map(double horizontal, double vertical, int order) {
  TransferMap map = TransferMap::identity(order);
  map.C(2) = horizontal;
  map.C(4) = vertical;
  return map;
}

/// The coordinates in a system that is turned by an angle around the axis, from x towards y.
inline TransferMap rotation_map(double angle, int order) {
  TransferMap map = TransferMap::identity(order);
  const double c = std::cos(angle), s = std::sin(angle);
  for (const int i : {1, 2}) {
    map.R(i, i) = map.R(i + 2, i + 2) = c;
    map.R(i, i + 2) = s;
    map.R(i + 2, i) = -s;
  }
  return map;
}

/// Where an element stands.
struct Misalignment {
  double dx = 0.;    ///< m
  double dy = 0.;    ///< m
  double tilt = 0.;  ///< rad, around the axis
};

/// The map of an element with a straight axis that stands elsewhere.
inline TransferMap misaligned(const TransferMap& map, const Misalignment& by) {
  TransferMap in = TransferMap::identity(map.order), out = in;
  in.C(1) = -by.dx;
  in.C(3) = -by.dy;
  out.C(1) = by.dx;
  out.C(3) = by.dy;
  const TransferMap turned = concatenated(concatenated(rotation_map(by.tilt, map.order), map),
                                          rotation_map(-by.tilt, map.order));
  return concatenated(concatenated(in, turned), out);
}

/// The map of a bend that stands elsewhere as a rigid body: behind it, x and the axis have other
/// directions than before it, by its angle. The displacement is in the directions before it.
inline TransferMap misaligned_bend(const TransferMap& map, const Misalignment& by, double angle) {
  const double c = std::cos(by.tilt), s = std::sin(by.tilt);
  const double dx = c * by.dx + s * by.dy, dy = c * by.dy - s * by.dx;  // in the magnet's planes
  TransferMap in = rotation_map(by.tilt, map.order), out = TransferMap::identity(map.order);
  in.C(1) = -dx;
  in.C(3) = -dy;
  out.C(1) = dx * std::cos(angle);
  out.C(3) = dy;
  // From where the bend ends to where it should end
  const double rest = dx * std::sin(angle);
  TransferMap drift = drift_map(rest, map.order);
  drift.C(5) = rest;
  const TransferMap behind = concatenated(concatenated(map, drift), out);
  return concatenated(concatenated(in, behind), rotation_map(-by.tilt, map.order));
}

}  // namespace trackplex::beam
