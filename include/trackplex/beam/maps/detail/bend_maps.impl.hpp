// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/bend_maps.hpp>
#include <trackplex/beam/maps/detail/bend_with_error.hpp>
#include <trackplex/beam/maps/detail/integrated_map.hpp>
#include <trackplex/beam/maps/misaligned.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <numbers>
#include <utility>

namespace trackplex::beam {
namespace detail {

TRACKPLEX_INLINE TransferMap edge_map(const SectorBend& bend, double edge, int side, int order,
                                      double curvature) {
  TransferMap map = TransferMap::identity(order);
  const double h = bend.angle / bend.length, n = -bend.k1 / (h * h);
  const double tangent = tan(edge), sec = 1. / cos(edge), sine = sin(edge);
  const double psi = 2. * bend.half_gap * bend.fringe * h * sec * (1. + sine * sine);
  map.R(2, 1) = h * tangent;
  map.R(4, 3) = -h * tan(edge - psi);
  if (order < 2) return map;
  map.T(2, 6, 1) = -map.R(2, 1);
  const double sec_psi = 1. / cos(edge - psi);
  map.T(4, 6, 3) = -map.R(4, 3) - psi * h * sec_psi * sec_psi;
  if (bend.edge_order == 1) return map;
  const double tan2 = tangent * tangent, sec2 = sec * sec;
  map.T(1, 1, 1) = 0.5 * side * h * tan2;
  map.T(1, 3, 3) = -0.5 * side * h * sec2;
  map.T(2, 2, 1) = map.T(3, 3, 1) = -side * h * tan2;
  map.T(4, 4, 1) = map.T(2, 4, 3) = side * h * tan2;
  map.T(4, 3, 2) = side * h * sec2;
  const double h2 = h * h;
  map.T(2, 1, 1) = side < 0 ? -n * h2 * tangent : -h2 * (n + 0.5 * tan2) * tangent;
  map.T(2, 3, 3) = side < 0 ? h2 * (n + 0.5 + tan2) * tangent : h2 * (n - 0.5 * tan2) * tangent;
  map.T(4, 3, 1) = h2 * (2. * n + (side > 0 ? sec2 : 0.)) * tangent;
  if (curvature != 0.) {
    const double sextupole = 0.5 * h * curvature * sec2 * sec;
    map.T(2, 1, 1) += sextupole;
    map.T(2, 3, 3) -= sextupole;
    map.T(4, 3, 1) -= 2. * sextupole;
  }
  return map;
}

/// Returns the map of the entrance (side -1) or exit (+1) of a bend.
TRACKPLEX_INLINE TransferMap end_map(const SectorBend& bend, int side, int order) {
  SectorBend actual = bend;
  actual.angle *= 1. + bend.dipole_error;
  return side < 0 ? edge_map(actual, bend.entrance, -1, order, bend.entrance_curvature)
                  : edge_map(actual, bend.exit, 1, order, bend.exit_curvature);
}

}  // namespace detail

TRACKPLEX_INLINE SectorBend reversed(SectorBend bend) {
  std::swap(bend.entrance, bend.exit);
  std::swap(bend.entrance_edge, bend.exit_edge);
  std::swap(bend.entrance_curvature, bend.exit_curvature);
  return bend;
}

TRACKPLEX_INLINE TransferMap sector_bend_map(const SectorBend& bend, int order) {
  if (!(bend.length > 0.) || bend.angle == 0.)
    throw UsageError("bend", "it needs a length above 0 and an angle", {},
                     "use a quadrupole or a drift");
  if (order > 2) throw UsageError("bend", "it has a map of first or second order only");
  const detail::MagnetBody body{
      .length = bend.length, .h = bend.angle / bend.length, .k1 = bend.k1, .k2 = bend.k2};
  TransferMap map = bend.dipole_error == 0.
                        ? detail::integrated_map(body, order)
                        : detail::bend_with_error(body, bend.dipole_error, order);
  if (bend.entrance_edge) map = concatenated(detail::end_map(bend, -1, order), map);
  if (bend.exit_edge) map = concatenated(map, detail::end_map(bend, 1, order));
  return map;
}

namespace detail {

/// Returns the translation from where a bend with an error tilt ends to the frame of the line
/// after it: x, xp, y, yp, and the way there.
TRACKPLEX_INLINE TransferMap error_tilt_exit(const SectorBend& bend, int order) {
  const double a = std::abs(bend.angle), t = -bend.error_tilt, sign = bend.angle < 0. ? -1. : 1.;
  const double ca = cos(a), sa = sin(a), ct = cos(t), st = sin(t);
  const double sagitta = bend.length / a * (1. - ca);
  const double u = sagitta * (ct - 1.), slope = sa * st / hypot(sa * ct, ca);
  const double normal = ca / (sa * ct);
  const double q = u * normal / (sa / ca + normal), r = -q * sa / ca, rest = hypot(q - u, r);
  TransferMap map = TransferMap::identity(order);
  map.C(1) = sign * hypot(q, r);
  map.C(2) = sign * tan(atan(normal) - (0.5 * std::numbers::pi - a));
  map.C(3) = sign * (sagitta * st + slope * rest);
  map.C(4) = sign * slope;
  map.C(5) = rest * hypot(1., slope);
  return map;
}

}  // namespace detail

TRACKPLEX_INLINE TransferMap with_error_tilt(const TransferMap& map, const SectorBend& bend) {
  if (bend.error_tilt == 0.) return map;
  const TransferMap turned =
      concatenated(concatenated(rotation_map(bend.error_tilt, map.order), map),
                   rotation_map(-bend.error_tilt, map.order));
  return concatenated(turned, detail::error_tilt_exit(bend, map.order));
}

TRACKPLEX_INLINE TransferMap misaligned_bend(const TransferMap& map, const Misalignment& by,
                                             double angle) {
  TransferMap in = drift_map(by.dz, map.order), out = TransferMap::identity(map.order);
  in.C(1) = -by.dx;
  in.C(3) = -by.dy;
  out.C(1) = by.dx * cos(angle) + by.dz * sin(angle);
  out.C(3) = by.dy;
  // From where the bend ends to where it should end
  const double rest = by.dx * sin(angle) - by.dz * cos(angle);
  TransferMap drift = drift_map(rest, map.order);
  drift.C(5) = rest + by.dz;
  const TransferMap turned = concatenated(concatenated(rotation_map(by.tilt, map.order), map),
                                          rotation_map(-by.tilt, map.order));
  return concatenated(concatenated(concatenated(in, turned), drift), out);
}

}  // namespace trackplex::beam
