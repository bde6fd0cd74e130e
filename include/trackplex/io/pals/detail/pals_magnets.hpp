// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/io/detail/magnet_slices.hpp>
#include <trackplex/io/pals/detail/pals_tracking.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// @file
/// Magnets of PALS as elements of `beam`.

namespace trackplex::io::detail {

/// A drift as the options say; a marker without a length.
inline beam::ElementKind make_pals_drift(double length, const PalsOptions& options) {
  if (length == 0.) return beam::Marker{};
  if (options.exact) return beam::ExactDrift{length};
  return beam::ExpandedDrift{length};
}

/// Displacement and rotation of the body of an element.
inline beam::Misalignment pals_placement(const PalsValues& v) {
  v.refuse_unless_zero({"BodyShiftP.x_rot", "BodyShiftP.y_rot"});
  beam::Misalignment by{.dx = v.number("BodyShiftP.x_offset"),
                        .dy = v.number("BodyShiftP.y_offset")};
  by.tilt = v.number("BodyShiftP.z_rot");
  by.dz = v.number("BodyShiftP.z_offset");
  return by;
}

/// A magnet with a straight axis.
inline beam::ElementKind make_pals_magnet(const PalsValues& v, const PalsSurroundings& at) {
  const PalsOptions& o = at.options;
  const double length = v.number("length");
  const PalsField field(v, length, at);
  const int order = field.order();
  const beam::Misalignment by = pals_placement(v);
  if (const auto tracked = tracked_pals_magnet(v, field, by)) return *tracked;
  if (order < 0) return make_pals_drift(length, o);
  const bool is_simple = length > 0. && (order == 1 || order == 2) && field.is_only(order);
  beam::Multipoles whole = field.integrated();
  const double k1 = beam::Multipoles::of(whole.normal, 1), j1 = beam::Multipoles::of(whole.skew, 1);
  const int slices =
      magnet_slices(o.slices, std::sqrt((std::abs(k1) + std::abs(j1)) * std::abs(length)));
  beam::Misalignment turned = by;
  turned.tilt += field.tilt(order);
  if (is_simple && order == 1 && !o.exact)
    return beam::ChromaticQuadrupole{length, field.strength(1), turned};
  if (is_simple && order == 1)
    return beam::CanonicalQuadrupole{length, field.strength(1), slices, o.integration_order,
                                     turned};
  if (is_simple && o.exact)
    return beam::CanonicalSextupole{length, field.strength(2), slices, o.integration_order, turned};
  const bool is_thin = length == 0.;
  return beam::CanonicalMultipole{.length = length,
                                  .field = std::move(whole),
                                  .slices = is_thin ? 1 : slices,
                                  .integration_order = is_thin ? 2 : o.integration_order,
                                  .misalignment = by,
                                  .expanded = !is_thin && !o.exact};
}

inline beam::ElementKind make_pals_solenoid(const PalsValues& v, const PalsSurroundings& at) {
  const double length = v.number("length");
  double strength = v.number("SolenoidP.Ksol");
  if (const double field = v.number("SolenoidP.Bsol"); field != 0.) {
    if (v.has("SolenoidP.Ksol")) v.refuse("SolenoidP.Bsol", "there is Ksol, too");
    strength = field * at.strength_of_field(v, "SolenoidP.Bsol");
  }
  if (strength == 0.) return make_pals_magnet(v, at);
  if (PalsField(v, length, at).order() >= 0)
    v.refuse("MagneticMultipoleP", "multipoles in a solenoid are not implemented");
  if (length == 0.) v.refuse("length", "a solenoid with a field has a length");
  const PalsTracking tracking(v);
  if (tracking.is("Solenoid"))
    return beam::Solenoid{length, strength, tracking.count("order", 2), pals_placement(v)};
  return beam::ExactSolenoid{length, strength, pals_placement(v)};
}

/// Length and angle of the axis of a bend, out of two of its parameters.
class PalsAxis {
 public:
  double length = 0., angle = 0.;

  PalsAxis(const PalsValues& v, const PalsSurroundings& at) {
    const std::optional<double> g = curvature_of(v, at), alpha = v.number_if_any("BendP.angle_ref");
    const std::string_view measure = measure_of(v);
    const double given = v.number(measure);
    if (measure == "BendP.L_chord" || measure == "BendP.L_rectangle")
      from_straight(v, measure, given, g, alpha);
    else if (v.has(measure))
      from_arc(given, g, alpha);
    else if (alpha && g && *g != 0.)
      from_arc(*alpha / *g, std::nullopt, alpha);
    else if (alpha && *alpha != 0.)
      v.refuse("BendP.angle_ref", "a bend with an angle has a length or a radius");
    if (g && alpha && !agree(*g * length, *alpha))
      v.refuse("BendP.angle_ref", "it is not length * g_ref", "leave one of the three out");
  }
  double curvature() const { return length != 0. ? angle / length : 0.; }

 private:
  static bool agree(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max({std::abs(a), std::abs(b), 1e-6});
  }
  /// Curvature, from one of its forms; several must agree.
  static std::optional<double> curvature_of(const PalsValues& v, const PalsSurroundings& at) {
    std::optional<double> g = v.number_if_any("BendP.g_ref");
    const auto take = [&](std::string_view path, double value) {
      if (g && !agree(*g, value)) v.refuse(path, "it is another curvature than that before it");
      g = value;
    };
    if (const YamlNode* const radius = v.find("BendP.radius_ref")) {
      const double value = v.limit(*radius);
      if (value == 0.) v.refuse("BendP.radius_ref", "a radius is not 0");
      take("BendP.radius_ref", 1. / value);
    }
    if (const auto field = v.number_if_any("BendP.Bn0_ref"))
      take("BendP.Bn0_ref", *field == 0. ? 0. : *field * at.strength_of_field(v, "BendP.Bn0_ref"));
    return g;
  }
  static std::string_view measure_of(const PalsValues& v) {
    for (const std::string_view path : {"length", "BendP.L_chord", "BendP.L_rectangle"})
      if (v.has(path)) return path;
    return "length";
  }
  void from_arc(double arc, std::optional<double> g, std::optional<double> alpha) {
    length = arc;
    angle = alpha ? *alpha : g ? *g * arc : 0.;
  }
  void from_straight(const PalsValues& v, std::string_view path, double given,
                     std::optional<double> g, std::optional<double> alpha) {
    const bool is_chord = path == "BendP.L_chord";
    if (!alpha && g) {
      const double sine = (is_chord ? 0.5 : 1.) * given * *g;
      if (std::abs(sine) > 1.) v.refuse(path, "it is longer than the circle is wide");
      alpha = (is_chord ? 2. : 1.) * asin(sine);
    }
    angle = alpha.value_or(0.);
    const double part = is_chord ? 0.5 * angle : angle;
    length = angle == 0. ? given : given * part / sin(part);
  }
};

/// Bends: exact inside, with linear edges unless the options say exact.
class PalsBend {
 public:
  PalsBend(const PalsValues& v, const PalsSurroundings& at)
      : v_(v), at_(at), axis_(v, at), field_(v, axis_.length, at) {}

  double length() const { return axis_.length; }

  beam::ElementKind make() const {
    const double length = axis_.length;
    if (length == 0. && (axis_.angle != 0. || field_.order() >= 0))
      v_.refuse("length", "a bend with a field has a length");
    if (length == 0.) return beam::Marker{};
    check_geometry();
    const PalsOptions& o = at_.options;
    beam::CanonicalBend bend{.length = length, .angle = axis_.angle};
    set_field(bend);
    const PalsTracking tracking(v_);
    const bool is_tracked = tracking.is("CanonicalBend") || tracking.is("Bend");
    if (axis_.angle == 0. && !bend.k0 && field_.order() < 1 && !is_tracked)
      return make_pals_drift(length, o);
    set_edges(bend);
    bend.slices = magnet_slices(
        o.slices, std::abs(bend.angle) + std::sqrt(std::abs(bend.strengths.front())) * length);
    bend.integration_order = o.integration_order;
    bend.is_corrected = !bend.k0;
    bend.is_rigid = true;
    bend.misalignment = placement();
    if (tracking.is("Bend") && !bend.k0 && field_.order() < 3)
      return tracked_pals_bend(tracking, bend);
    if (!tracking.is("CanonicalBend")) return bend;
    track_pals_bend(tracking, bend);
    bend.k0.reset();
    if (field_.has(0)) bend.k0 = field_.strength(0);
    return bend;
  }

 private:
  void set_field(beam::CanonicalBend& bend) const {
    const double axis = axis_.curvature();
    if (field_.is_skew_from(0))
      v_.refuse("MagneticMultipoleP", "skew and rotated multipoles of bends are not implemented");
    double k0 = axis;
    if (field_.has(0))
      k0 = field_.strength(0);
    else if (!v_.flag("BendP.Kn0_from_g_ref", true))
      k0 = 0.;
    const bool is_on = v_.flag("is_on", true);
    if (!is_on) k0 = 0.;
    if (k0 != axis) bend.k0 = k0;
    bend.strengths.assign(std::size_t(std::max(3, field_.order())), 0.);
    for (int n = 1; is_on && n <= field_.order(); ++n)
      bend.strengths[std::size_t(n - 1)] = field_.strength(n);
    bend.crossing = 0.5 * (k0 - axis) * axis_.length;
    if (axis_.angle == 0. && !bend.k0 && field_.order() >= 1) bend.k0 = 0.;
  }
  void set_edges(beam::CanonicalBend& bend) const {
    bend.entrance = edge("e1", true);
    bend.exit = edge("e2", false);
    bend.entrance_curve = v_.number("BendP.h1");
    bend.exit_curve = v_.number("BendP.h2");
    const double entrance = v_.number("BendP.edge1_int"), exit = v_.number("BendP.edge2_int");
    bend.half_gap = entrance != 0. || exit != 0. ? 1. : 0.;
    bend.fringe = entrance;
    if (exit != entrance) bend.exit_fringe = exit;
    bend.entrance_effects = bend.exit_effects =
        at_.options.exact ? beam::EdgeEffects::exact : beam::EdgeEffects::linear;
    if (!v_.flag("is_on", true))
      bend.entrance_effects = bend.exit_effects = beam::EdgeEffects::none;
  }
  /// Angle of an edge to that of a sector.
  double edge(const std::string& name, bool is_entrance) const {
    enum { arc, chord, entrance_coordinates, exit_coordinates };
    const std::size_t geometry =
        v_.choice("BendP.ref_geometry", {"ARC", "CHORD", "ENTRANCE_COORDS", "EXIT_COORDS"});
    const double share = geometry <= chord                                   ? 0.5
                         : (geometry == entrance_coordinates) == is_entrance ? 0.
                                                                             : 1.;
    const auto sector = v_.number_if_any("BendP." + name);
    const auto rectangular = v_.number_if_any("BendP." + name + "_rect");
    const double difference = share * axis_.angle;
    if (sector && rectangular && std::abs(*sector - *rectangular - difference) > 1e-9)
      v_.refuse("BendP." + name + "_rect", "it does not agree with " + name);
    if (sector) return *sector;
    if (rectangular) return *rectangular + difference;
    const bool is_sector = geometry == arc && v_.kind() != "RBend";
    return is_sector ? 0. : difference;
  }
  void check_geometry() const {
    const std::size_t geometry =
        v_.choice("BendP.ref_geometry", {"ARC", "CHORD", "ENTRANCE_COORDS", "EXIT_COORDS"});
    const std::size_t multipoles = v_.choice(
        "BendP.multipole_geometry", {"FOLLOWS_REF_GEOMETRY", "VERTICALLY_PURE", "HORIZONTALLY_PURE",
                                     "CHORD", "ENTRANCE_COORDS", "EXIT_COORDS"});
    if (field_.order() < 1 || axis_.angle == 0. || multipoles == 1) return;
    if (multipoles > 1)
      v_.refuse("BendP.multipole_geometry", "multipoles along the arc are implemented",
                "VERTICALLY_PURE");
    if (geometry != 0)
      v_.refuse("BendP.ref_geometry", "multipoles along the arc are implemented", "ARC");
  }
  /// Displacement in the system of the entrance; that of PALS is along the chord.
  beam::Misalignment placement() const {
    beam::Misalignment by = pals_placement(v_);
    const double tilt = v_.number("BendP.tilt_ref");
    if (axis_.angle == 0.) {
      by.tilt += tilt;
      return by;
    }
    if (by.tilt != 0.)
      v_.refuse("BodyShiftP.z_rot", "rotations about the chord are not implemented",
                "tilt_ref tilts the bend with its axis");
    if (tilt != 0. && (by.dx != 0. || by.dy != 0. || by.dz != 0.))
      v_.refuse("BodyShiftP", "displacements of tilted bends are not implemented");
    const double c = cos(0.5 * axis_.angle), s = sin(0.5 * axis_.angle);
    beam::Misalignment at_entrance = by;
    at_entrance.dx = c * by.dx - s * by.dz;
    at_entrance.dz = s * by.dx + c * by.dz;
    at_entrance.tilt = tilt;
    return at_entrance;
  }

  const PalsValues& v_;
  const PalsSurroundings& at_;
  PalsAxis axis_;
  PalsField field_;
};

}  // namespace trackplex::io::detail
