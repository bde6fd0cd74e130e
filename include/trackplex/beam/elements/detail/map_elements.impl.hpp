// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/map_elements.hpp>

#include <algorithm>
#include <vector>

namespace trackplex::beam {
namespace detail {

/// Adds a map and what it adds to the coordinates apart from that: the pattern may be a short one
/// then.
TRACKPLEX_INLINE void add_map_and_shift(StepBuilder& to, TransferMap map) {
  const TransferMap::Vector shift = map(TransferMap::Vector{});
  for (Polynomial& p : map.component) p.c = 0.;
  to.map(map);
  if (shift[x] != 0. || shift[xp] != 0. || shift[y] != 0. || shift[yp] != 0.)
    to.shift(shift[x], shift[xp], shift[y], shift[yp]);
  if (shift[s] != 0.) to.add(steps::Lengthen{shift[s]});
}

TRACKPLEX_INLINE void add_misaligned(StepBuilder& to, const TransferMap& map,
                                     const Misalignment& by) {
  if (by.dz != 0.) return to.map(misaligned(map, by));
  to.placed(by, [&] { to.map(map); });
}

}  // namespace detail

TRACKPLEX_INLINE void Quadrupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k1", k1);
  check.not_negative("length of the fringe field", fringe.length);
  check.finite("horizontal kick", horizontal);
  check.finite("vertical kick", vertical);
  check.placed(misalignment);
}

TRACKPLEX_INLINE Quadrupole Quadrupole::part(int i,
                                             int n) const {  // fringe fields stay at the ends
  Quadrupole result = *this;
  result.length /= n;
  result.fringe.entrance = fringe.entrance && i == 0;
  result.fringe.exit = fringe.exit && i + 1 == n;
  return result;
}

TRACKPLEX_INLINE TransferMap Quadrupole::magnet_map() const {
  const TransferMap map = quadrupole_map(length, k1, order, fringe);
  if (!has_kicks()) return map;
  const KickerMagnet half{.horizontal = 0.5 * horizontal, .vertical = 0.5 * vertical};
  const TransferMap kick = kicker_map(half, std::min(order, 2));
  return concatenated(concatenated(kick, map), kick);
}

TRACKPLEX_INLINE void Sextupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k2", k2);
  check.finite("strength k1", k1);
  check.finite("strength j1", j1);
  check.placed(misalignment);
}

TRACKPLEX_INLINE void Octupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k3", k3);
  check.placed(misalignment);
}

TRACKPLEX_INLINE AxisBend Bend::axis_bend() const {
  return {magnet.angle, misalignment.tilt, magnet.k1, magnet.entrance_edge ? magnet.entrance : 0.,
          magnet.exit_edge ? magnet.exit : 0.};
}

TRACKPLEX_INLINE void Bend::check(const ElementCheck& check) const {
  check.not_negative("length", magnet.length);
  check.finite("angle", magnet.angle);
  check.finite("strength k1", magnet.k1);
  check.finite("strength k2", magnet.k2);
  check.finite("angle of the entrance edge", magnet.entrance);
  check.finite("angle of the exit edge", magnet.exit);
  check.not_negative("half gap", magnet.half_gap);
  check.finite("integral of the fringe field", magnet.fringe);
  check.finite("curvature of the entrance", magnet.entrance_curvature);
  check.finite("curvature of the exit", magnet.exit_curvature);
  check.finite("error of the field", magnet.dipole_error);
  if (magnet.dipole_error <= -1.)
    check.refuse("error of the field", magnet.dipole_error, "it must be above -1");
  check.finite("error tilt", magnet.error_tilt);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap Bend::map_to(int) const {
  return misaligned_bend(magnet_map(), misalignment, magnet.angle);
}

TRACKPLEX_INLINE void Bend::add_steps(StepBuilder& to) const {
  const Misalignment& by = misalignment;
  if (by.dx != 0. || by.dy != 0. || by.dz != 0.) return to.map(map_to(order));
  to.placed(by, [&] { detail::add_map_and_shift(to, magnet_map()); });
}

TRACKPLEX_INLINE Bend Bend::part(int i, int n) const {  // edges stay at the ends
  Bend result = *this;
  result.magnet.length /= n;
  result.magnet.angle /= n;
  result.magnet.entrance_edge = magnet.entrance_edge && i == 0;
  result.magnet.exit_edge = magnet.exit_edge && i + 1 == n;
  return result;
}

TRACKPLEX_INLINE void Kicker::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("horizontal kick", horizontal);
  check.finite("vertical kick", vertical);
  check.finite("tilt", tilt);
  check.finite("sextupole component b2", b2);
}

TRACKPLEX_INLINE TransferMap Kicker::map_to(int) const {
  return misaligned(kicker_map_in_plane(magnet(), order), {.tilt = whole_tilt()});
}

TRACKPLEX_INLINE void Kicker::add_steps(StepBuilder& to) const {
  to.placed({.tilt = whole_tilt()},
            [&] { detail::add_map_and_shift(to, kicker_map_in_plane(magnet(), order)); });
}

TRACKPLEX_INLINE void Solenoid::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength ks", ks);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap Solenoid::map_to(int) const {
  return misaligned(solenoid_map(length, ks, order), misalignment);
}

TRACKPLEX_INLINE void Solenoid::add_steps(StepBuilder& to) const {
  detail::add_misaligned(to, solenoid_map(length, ks, order), misalignment);
}

TRACKPLEX_INLINE void SolenoidField::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("field", field);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap SolenoidField::map_to(int order_without, double p0) const {
  if (!(p0 > 0.)) return drift_map(length, order_without);
  return misaligned(solenoid_map(length, solenoid_strength(field, p0), order), misalignment);
}

TRACKPLEX_INLINE std::vector<double> SolenoidField::coefficients(const ElementPass& pass) const {
  return coefficients_of(map_to(order, pass.reference.p0), patterns::Dense::value);
}

}  // namespace trackplex::beam
