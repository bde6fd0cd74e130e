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

/// Returns the map of a drift of a length, m, to an order of 1 to 3. x and y are exact; the path
/// length has its terms of second order, l xp^2/2 and l yp^2/2, at orders 2 and 3.
/// @throws UsageError if the order is not 1, 2 or 3
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

/// Returns the map of a quadrupole of a length, m, and strength k1, 1/m^2, which focuses in x where
/// it is positive; without fringe fields.
/// @throws UsageError if the order is not 1, 2 or 3
inline TransferMap quadrupole_map(double length, double k1, int order) {
  if (order > 2) return detail::integrated_map({.length = length, .k1 = k1}, order);
  TransferMap map = TransferMap::identity(order);
  detail::add_quadrupole_plane(map, 1, k1, length);
  detail::add_quadrupole_plane(map, 3, -k1, length);
  return map;
}

/// Returns the map of a sextupole of a length, m, and strength k2, 1/m^3; without fringe fields.
/// @throws UsageError if the order is not 1, 2 or 3
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

/// Bending magnet with a curved axis (sector bend) and its edges. A rectangular magnet has edges of
/// half the angle each. Edges of angle 0 have effects of second order, too.
struct SectorBend {
  double length = 0.;         ///< Length along the axis, m.
  double angle = 0.;          ///< Angle, rad; positive: towards negative x.
  double k1 = 0.;             ///< Quadrupole strength, 1/m^2.
  double k2 = 0.;             ///< Sextupole strength, 1/m^3.
  double entrance = 0.;       ///< Entrance edge, rad: positive as in a rectangular magnet.
  double exit = 0.;           ///< Exit edge, rad: positive as in a rectangular magnet.
  double half_gap = 0.;       ///< Half of the gap between the poles, m.
  double fringe = 0.5;        ///< Integral of the fringe field (elegant's FINT).
  bool entrance_edge = true;  ///< Whether the entrance has the effects of an edge.
  bool exit_edge = true;      ///< Whether the exit has the effects of an edge.
};

namespace detail {

/// Returns the map of an edge of a bend; side is -1 at the entrance, +1 at the exit.
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

/// Returns the bend as it is passed backwards: entrance and exit change places.
inline SectorBend reversed(SectorBend bend) {
  std::swap(bend.entrance, bend.exit);
  std::swap(bend.entrance_edge, bend.exit_edge);
  return bend;
}

/// Returns the map of a sector bend to first or second order: entrance edge, body, exit edge. Edges
/// are those of K. L. Brown, SLAC-75, with the correction psi = 2 h g F (1 + sin^2 E)/cos E for the
/// extent of the fringe field, h curvature, g half gap, F its integral, E angle of the edge.
/// @throws UsageError if the length is not above 0 or the angle 0 (a drift or quadrupole), or the
/// order is not 1 or 2
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

/// Returns the map that adds a horizontal and a vertical kick, rad, to the slopes at one place.
/// @throws UsageError if the order is not 1, 2 or 3
inline TransferMap kick_map(double horizontal, double vertical, int order) {
  TransferMap map = TransferMap::identity(order);
  map.C(2) = horizontal;
  map.C(4) = vertical;
  return map;
}

/// Returns the map to a system that is turned around the axis by an angle, rad, from x towards y.
/// @throws UsageError if the order is not 1, 2 or 3
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

/// Displacement and rotation of an element relative to its nominal place.
struct Misalignment {
  double dx = 0.;    ///< Horizontal displacement, m.
  double dy = 0.;    ///< Vertical displacement, m.
  double tilt = 0.;  ///< Rotation around the axis, rad, from x towards y.
  double dz = 0.;    ///< Displacement along the axis, m.
};

/// Returns the map of a misaligned element with a straight axis.
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

/// Returns the map of a bend that is misaligned as a rigid body. Behind it, x and the axis are
/// turned by its angle, rad; the displacement is along the directions before it.
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
