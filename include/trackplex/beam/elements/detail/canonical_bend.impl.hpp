// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/bend.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/plane_rotation.hpp>
#include <trackplex/beam/steps/bend_steps.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE bool CanonicalBend::is_whole() const {
  const Misalignment& by = misalignment;
  return error_tilt != 0. || by.dx != 0. || by.dy != 0. || by.dz != 0.;
}

TRACKPLEX_INLINE void CanonicalBend::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("angle", angle);
  for (std::size_t n = 0; n < strengths.size(); ++n)
    check.finite(("strength k" + std::to_string(n + 1)).c_str(), strengths[n]);
  check.finite("angle of the entrance edge", entrance);
  check.finite("angle of the exit edge", exit);
  check.finite("curvature of the entrance", entrance_curve);
  check.finite("curvature of the exit", exit_curve);
  check.not_negative("half gap", half_gap);
  check.finite("integral of the fringe field", fringe);
  check.finite("error of the field", field_error);
  check.finite("horizontal kick", horizontal_kick);
  check.finite("vertical kick", vertical_kick);
  check.finite("error of the tilt", error_tilt);
  check.placed(misalignment);
  if (k0) check.finite("strength k0", *k0);
  check.finite("crossing angle", crossing);
  if (exit_fringe) check.finite("integral of the fringe field at the exit", *exit_fringe);
  if (angle != 0. && !(length > 0.))
    check.refuse("length", length, "a bend of an angle has a length");
  if (expansion_order < 0 || expansion_order > 10)
    check.refuse("expansion order", expansion_order, "it is 1 to 10, and 0 for as needed");
  if (edge_order != 1 && edge_order != 2)
    check.refuse("order of the edges", edge_order, "it is 1 or 2");
  if ((radiates || quantum) && expanded)
    check.refuse("radiation", 1., "it is not computed with expanded slopes");
  if (closed && !has_closed_map())
    check.refuse("closed map", 1.,
                 "there is one for a uniform field alone: without multipoles, kicks, radiation, "
                 "expanded slopes and k0");
}

TRACKPLEX_INLINE AxisBend CanonicalBend::axis_bend() const {
  return {angle, misalignment.tilt, strength_of(1),
          entrance_effects != EdgeEffects::none ? entrance : 0.,
          exit_effects != EdgeEffects::none ? exit : 0.};
}

TRACKPLEX_INLINE TransferMap CanonicalBend::map_to(int order) const {
  order = std::min(order, 2);
  if (is_straight() && k0) return straight_multipole().map_to(order);
  if (is_straight())
    return misaligned(quadrupole_map(length, angle == 0. ? 0. : strength_of(1), order),
                      straight_placement());
  const SectorBend magnet{.length = length,
                          .angle = angle,
                          .k1 = strength_of(1),
                          .k2 = strength_of(2),
                          .entrance = entrance,
                          .exit = exit,
                          .half_gap = half_gap,
                          .fringe = fringe,
                          .entrance_edge = entrance_effects != EdgeEffects::none,
                          .exit_edge = exit_effects != EdgeEffects::none,
                          .entrance_curvature = entrance_curve,
                          .exit_curvature = exit_curve,
                          .dipole_error = field_error,
                          .error_tilt = error_tilt,
                          .edge_order = has_canonical_edge() ? 2 : edge_order};
  if (is_rigid && error_tilt != 0.) return rotated_map(magnet, order);
  if (!is_rigid || misalignment.tilt == 0.) return Bend{magnet, order, misalignment}.map_to(order);
  Misalignment by = displacement();
  by.tilt = 0.;
  return misaligned(Bend{magnet, order, by}.map_to(order), {.tilt = misalignment.tilt});
}

TRACKPLEX_INLINE TransferMap CanonicalBend::rotated_map(SectorBend magnet, int order) const {
  const RotatedExit end = rotated_exit();
  magnet.error_tilt = 0.;
  const Misalignment by = displacement();
  TransferMap in = drift_map(by.dz, order), out = drift_map(-end.z, order);
  in.C(1) = -by.dx;
  in.C(3) = -by.dy;
  out.C(1) = end.x;
  out.C(3) = end.y;
  out.C(5) = by.dz - end.z;
  TransferMap map = concatenated(rotation_map(by.tilt, order), in);
  for (const TransferMap& next :
       {rotation_map(error_tilt, order), Bend{magnet, order}.map_to(order),
        rotation_map(end.roll, order), PlaneRotation{end.pitch, true}.map_to(order),
        PlaneRotation{end.yaw, false}.map_to(order), out, rotation_map(-by.tilt, order)})
    map = concatenated(map, next);
  return map;
}

TRACKPLEX_INLINE void CanonicalBend::add_steps(StepBuilder& to) const {
  if (is_straight()) return add_straight(to);
  enter(to);
  if (entrance_effects != EdgeEffects::none) to.add(steps::Edge{edge(false)});
  if (radiates || quantum) {
    const auto bend = radiating_body(slices, true, true);
    quantum ? to.add(steps::QuantumBend{bend, radiates}) : to.add(bend);
  } else {
    to.in_slices(slices, [&](int n, double part) {
      if (closed) return to.add(sector(part));
      if (expanded) return to.add(steps::Bend<true>{body(n)});
      to.add(steps::Bend<false>{body(n)});
    });
  }
  if (exit_effects != EdgeEffects::none) to.add(steps::Edge{edge(true)});
  leave(to);
}

TRACKPLEX_INLINE CanonicalBend CanonicalBend::part(int i, int n) const {  // edges stay at the ends
  CanonicalBend result = *this;
  result.length /= n;
  result.angle /= n;
  result.horizontal_kick /= n;
  result.vertical_kick /= n;
  if (i > 0) result.entrance_effects = EdgeEffects::none;
  if (i + 1 < n) result.exit_effects = EdgeEffects::none;
  return result;
}

TRACKPLEX_INLINE CanonicalBend CanonicalBend::reversed() const {
  CanonicalBend result = *this;
  std::swap(result.entrance, result.exit);
  std::swap(result.entrance_curve, result.exit_curve);
  std::swap(result.entrance_effects, result.exit_effects);
  if (exit_fringe) {
    result.fringe = *exit_fringe;
    result.exit_fringe = fringe;
  }
  return result;
}

TRACKPLEX_INLINE bool CanonicalBend::has_closed_map() const {
  const bool is_dipole = std::ranges::all_of(strengths, [](double k) { return k == 0.; });
  return is_dipole && horizontal_kick == 0. && vertical_kick == 0. && field_error > -1. && !k0 &&
         !radiates && !quantum && !expanded;
}

TRACKPLEX_INLINE steps::SectorField CanonicalBend::sector(double part) const {
  return {length * part, std::abs(angle) * part, 1. + field_error};
}

TRACKPLEX_INLINE BendBody CanonicalBend::body(int n) const {
  const double part = double(n) / slices;
  return {.length = length * part,
          .angle = std::abs(angle) * part,
          .field_angle = std::abs(angle) * part * (1. + field_error),
          .field = field(),
          .slices = n,
          .integration_order = integration_order,
          .expanded = expanded,
          .is_corrected = is_corrected};
}

TRACKPLEX_INLINE steps::RadiatingBend CanonicalBend::radiating_body(int n, bool at_entrance,
                                                                    bool at_exit) const {
  const double side = angle < 0. ? -1. : 1.;
  return {body(n), at_entrance ? side * edge_angle(entrance_effects, entrance) : 0.,
          at_exit ? side * edge_angle(exit_effects, exit) : 0.};
}

TRACKPLEX_INLINE BendEdge CanonicalBend::edge(bool is_exit) const {
  const double side = angle < 0. ? -1. : 1.;
  const double radius = angle == 0. ? 0. : length / std::abs(angle);
  return {.effects = is_exit ? exit_effects : entrance_effects,
          .order = edge_order,
          .is_exit = is_exit,
          .angle = side * (is_exit ? exit : entrance),
          .radius = k0 ? side / (*k0 * (1. + field_error)) : radius / (1. + field_error),
          .half_gap = half_gap,
          .fringe = is_exit ? exit_fringe.value_or(fringe) : fringe,
          .gradient = strength_of(1) * radius,
          .curve = is_exit ? exit_curve : entrance_curve,
          .axis_radius = radius,
          .crossing = side * crossing};
}

/// Displacement in the system that `enter` and `leave` displace in: the tilted one of a rigid body.
TRACKPLEX_INLINE Misalignment CanonicalBend::displacement() const {
  Misalignment by = misalignment;
  if (!is_rigid || by.tilt == 0.) return by;
  const double c = cos(by.tilt), s = sin(by.tilt);
  by.dx = c * misalignment.dx + s * misalignment.dy;
  by.dy = c * misalignment.dy - s * misalignment.dx;
  return by;
}

TRACKPLEX_INLINE void CanonicalBend::enter(StepBuilder& to) const {
  const Misalignment by = displacement();
  const double first = is_rigid ? by.tilt : 0.;
  if (first != 0.) to.rotate(first);
  to.exact_drift(by.dz);
  to.shift(-by.dx, 0., -by.dy, 0.);
  to.rotate(turn() - first);
}

TRACKPLEX_INLINE void CanonicalBend::leave(StepBuilder& to) const {
  if (is_rigid && error_tilt != 0.) return leave_rotated(to);
  const Misalignment by = displacement();
  const double last = is_rigid ? by.tilt : 0.;
  to.rotate(-(turn() - last));
  double longer = by.dz;
  if (error_tilt != 0.) longer += leave_error_tilt(to);
  const double c = cos(angle), s = sin(angle);
  const double along = by.dx * s - by.dz * c;
  to.exact_drift(along);
  to.shift(by.dx * c + by.dz * s, 0., by.dy, 0.);
  longer += along;
  if (longer != 0.) to.add(steps::Lengthen{longer});
  if (last != 0.) to.rotate(-last);
}

TRACKPLEX_INLINE void CanonicalBend::leave_rotated(StepBuilder& to) const {
  const RotatedExit rotated = rotated_exit();
  to.rotate(rotated.roll + (angle < 0. ? -std::numbers::pi : 0.));
  if (rotated.pitch != 0.) to.add(PlaneRotation{rotated.pitch, true});
  if (rotated.yaw != 0.) to.add(PlaneRotation{rotated.yaw, false});
  to.exact_drift(-rotated.z);
  to.shift(rotated.x, 0., rotated.y, 0.);
  const double longer = misalignment.dz - rotated.z;
  if (longer != 0.) to.add(steps::Lengthen{longer});
  to.rotate(-misalignment.tilt);
}

/// With the axes F of the end of the nominal axis and the rotation E by the error tilt, both in the
/// system of the entrance, Q = F^T E F leads from the axes of the displaced end to F. It is the
/// product of rotations in (z, x) by -yaw, in (z, y) by -pitch, and around z by roll.
TRACKPLEX_INLINE CanonicalBend::RotatedExit CanonicalBend::rotated_exit() const {
  const double ca = cos(angle), sa = sin(angle), st = sin(error_tilt);
  const double half = sin(0.5 * error_tilt), versine = 2. * half * half;
  const double half_bend = sin(0.5 * angle);
  const double sagitta = -2. * length / angle * half_bend * half_bend;  // of the end, in x
  const Misalignment by = displacement();
  const double dx = by.dx - versine * sagitta;
  return {.roll = atan2(-ca * st, 1. - versine),
          .pitch = asin(sa * st),
          .yaw = atan2(-ca * sa * versine, 1. - sa * sa * versine),
          .x = ca * dx + sa * by.dz,
          .y = by.dy + st * sagitta,
          .z = ca * by.dz - sa * dx};
}

TRACKPLEX_INLINE bool CanonicalBend::has_canonical_edge() const {
  return entrance_effects == EdgeEffects::canonical || exit_effects == EdgeEffects::canonical;
}

TRACKPLEX_INLINE double CanonicalBend::strength_of(std::size_t n) const {
  return n <= strengths.size() && n > 0 ? strengths[n - 1] : 0.;
}

TRACKPLEX_INLINE double CanonicalBend::edge_angle(EdgeEffects effects, double angle) {
  return effects == EdgeEffects::none ? 0. : angle;
}

TRACKPLEX_INLINE double CanonicalBend::turn() const {
  return misalignment.tilt + error_tilt + (angle < 0. ? std::numbers::pi : 0.);
}

TRACKPLEX_INLINE CanonicalMultipole CanonicalBend::straight_multipole() const {
  Multipoles field{{*k0}, {}};
  field.normal.insert(field.normal.end(), strengths.begin(), strengths.end());
  field = field.times(length * (1. + field_error));
  field.normal[0] -= horizontal_kick;
  field.skew = {-vertical_kick};
  return {.length = length,
          .field = field,
          .slices = slices,
          .integration_order = integration_order,
          .misalignment = straight_placement()};
}

/// A straight axis stays where it is if the magnet is rotated.
TRACKPLEX_INLINE Misalignment CanonicalBend::straight_placement() const {
  Misalignment by = misalignment;
  by.tilt += error_tilt;
  return by;
}

TRACKPLEX_INLINE void CanonicalBend::add_straight(StepBuilder& to) const {
  if (k0) {
    to.placed(straight_placement(), [&] {
      if (entrance_effects != EdgeEffects::none) to.add(steps::Edge{edge(false)});
      CanonicalMultipole magnet = straight_multipole();
      magnet.misalignment = {};
      magnet.add_steps(to);
      if (exit_effects != EdgeEffects::none) to.add(steps::Edge{edge(true)});
    });
    return;
  }
  to.placed(straight_placement(), [&] {
    if (angle == 0. || strength_of(1) == 0.) return to.exact_drift(length);
    to.add(steps::Magnet<QuadrupoleField>{length, strength_of(1) * (1. + field_error), slices,
                                          integration_order});
  });
}

TRACKPLEX_INLINE BendField CanonicalBend::field() const {
  const double radius = length / angle;  // with its sign
  std::vector<double> b;
  int highest = 0;
  for (std::size_t n = 1; n <= strengths.size(); ++n) {
    const double side = angle < 0. && n % 2 == 1 ? -1. : 1.;
    const bool counts = nonlinear || n == 1;
    b.push_back(counts ? side * strengths[n - 1] * radius : 0.);
    if (b.back() != 0.) highest = int(n);
  }
  const int needed = nonlinear ? std::max(4, highest + 2) : 1;
  BendField field =
      bend_field(std::abs(angle) / length, b, expansion_order > 0 ? expansion_order : needed);
  if (k0) field.polynomial.back() += *k0 * radius - 1.;
  field.polynomial.back() -= horizontal_kick / angle;
  field.horizontal = vertical_kick / angle;
  return field;
}

TRACKPLEX_INLINE double CanonicalBend::leave_error_tilt(StepBuilder& to) const {
  const double bend = std::abs(angle), t = -error_tilt, radius = length / bend;
  const double sa = sin(bend), ca = cos(bend), st = sin(t), ct = cos(t);
  const double u = radius * (1. - ca) * (ct - 1.), v = radius * (1. - ca) * st;
  const double slope_y = sa * st / hypot(sa * ct, ca);
  const double tangent = 1. / (tan(bend) * ct);
  const double q = u * tangent / (sa / ca + tangent), r = -q * tan(bend);
  const double way = hypot(q - u, r);
  const double slope_x = tan(atan(tangent) - (0.5 * std::numbers::pi - bend));
  const double x = hypot(q, r), y = v + slope_y * way, plane = turn() - error_tilt;
  const double c = cos(plane), s = sin(plane);
  to.shift(c * x - s * y, c * slope_x - s * slope_y, s * x + c * y, s * slope_x + c * slope_y);
  return way * hypot(1., slope_y);
}

}  // namespace trackplex::beam
