// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/io/pals/detail/pals_fields.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

/// @file
/// How elements are tracked: the extension `TrackingP: Trackplex` of files that Trackplex writes.

namespace trackplex::io::detail {

/// The extension of an element. What PALS says goes before it: its values count where they agree.
class PalsTracking {
 public:
  explicit PalsTracking(const PalsValues& v) : v_(v) {
    if (const YamlNode* const element = v.find("TrackingP.Trackplex.element"))
      element_ = element->as_text("TrackingP.Trackplex.element");
  }

  bool is(std::string_view element) const { return element_ == element; }
  double number(const std::string& name, double otherwise = 0.) const {
    return v_.number("TrackingP.Trackplex." + name, otherwise);
  }
  bool flag(const std::string& name, bool otherwise = false) const {
    return number(name, otherwise) != 0.;
  }
  int count(const std::string& name, int otherwise) const {
    const double value = number(name, otherwise);
    if (value != std::round(value) || std::abs(value) > 1e6)
      v_.refuse("TrackingP.Trackplex." + name, "it is a whole number");
    return int(value);
  }
  bool has(const std::string& name) const { return v_.has("TrackingP.Trackplex." + name); }
  /// The value of the extension, if it is the other one to rounding.
  double exact(const std::string& name, double other, double scale = 0.) const {
    const double value = number(name, other);
    return std::abs(value - other) <= 1e-13 * std::max(scale, std::abs(other)) ? value : other;
  }
  template <class Choice>
  Choice choice(const std::string& name, int n) const {
    const int value = count(name, 0);
    if (value < 0 || value >= n) v_.refuse("TrackingP.Trackplex." + name, "it is not known");
    return Choice(value);
  }

 private:
  const PalsValues& v_;
  std::string element_;
};

/// A straight magnet as the extension says; none where it says nothing, or the field is another
/// one.
inline std::optional<beam::ElementKind> tracked_pals_magnet(const PalsValues& v,
                                                            const PalsField& field,
                                                            const beam::Misalignment& by) {
  const PalsTracking t(v);
  const double length = v.number("length");
  const int maps = t.count("order", 2), slices = t.count("slices", 4),
            order = t.count("integration_order", 4);
  if (t.is("CanonicalMultipole"))
    return beam::CanonicalMultipole{.length = length,
                                    .field = field.integrated(),
                                    .slices = slices,
                                    .integration_order = order,
                                    .misalignment = by,
                                    .expanded = t.flag("expanded"),
                                    .radiates = t.flag("radiates"),
                                    .quantum = t.flag("quantum")};
  const int n = field.order();
  if (t.is("Kicker") || t.is("ExactKicker")) {
    const beam::Multipoles whole = field.integrated();
    if (n > 0) return std::nullopt;
    const double horizontal = -beam::Multipoles::of(whole.normal, 0);
    const double vertical = -beam::Multipoles::of(whole.skew, 0);
    if (t.is("ExactKicker")) return beam::ExactKicker{length, horizontal, vertical, by};
    if (by.dx != 0. || by.dy != 0. || by.dz != 0.) return std::nullopt;
    return beam::Kicker{length, horizontal,     vertical,       by.tilt,
                        maps,   t.number("b2"), t.flag("edges")};
  }
  const auto is_of = [&](std::string_view element, int main) {
    return t.is(element) && (n < 0 || n == main) && field.is_only(main) && field.tilt(main) == 0.;
  };
  if (is_of("ChromaticQuadrupole", 1))
    return beam::ChromaticQuadrupole{length, field.strength(1), by};
  if (is_of("Quadrupole", 1)) return beam::Quadrupole{length, field.strength(1), maps, by};
  if (is_of("CanonicalQuadrupole", 1))
    return beam::CanonicalQuadrupole{length, field.strength(1), slices, order, by};
  if (is_of("Sextupole", 2)) return beam::Sextupole{length, field.strength(2), maps, by};
  if (is_of("CanonicalSextupole", 2))
    return beam::CanonicalSextupole{length, field.strength(2), slices, order, by};
  if (is_of("Octupole", 3)) return beam::Octupole{length, field.strength(3), maps, by};
  if (t.is("Monitor") && n < 0) return beam::Monitor{length, maps};
  return std::nullopt;
}

/// A drift as the extension says.
inline std::optional<beam::ElementKind> tracked_pals_drift(const PalsValues& v) {
  const PalsTracking t(v);
  const double length = v.number("length");
  if (t.is("Drift")) return beam::Drift{length, t.count("order", 2)};
  if (t.is("ExactDrift")) return beam::ExactDrift{length};
  if (t.is("ExpandedDrift")) return beam::ExpandedDrift{length};
  return std::nullopt;
}

/// Puts how a bend is tracked into it.
inline void track_pals_bend(const PalsTracking& t, beam::CanonicalBend& bend) {
  const double entrance = bend.half_gap * bend.fringe;
  const double exit = bend.half_gap * bend.exit_fringe.value_or(bend.fringe);
  const double gap = t.number("half_gap"), fringe = t.number("fringe", 0.5);
  const double exit_fringe = t.number("exit_fringe", fringe);
  if (std::abs(gap * fringe - entrance) <= 1e-13 * std::abs(entrance) &&
      std::abs(gap * exit_fringe - exit) <= 1e-13 * std::abs(exit)) {
    bend.half_gap = gap;
    bend.fringe = fringe;
    bend.exit_fringe.reset();
    if (t.has("exit_fringe")) bend.exit_fringe = exit_fringe;
  }
  bend.entrance_effects = t.choice<beam::EdgeEffects>("entrance_effects", 6);
  bend.exit_effects = t.choice<beam::EdgeEffects>("exit_effects", 6);
  bend.edge_order = t.count("edge_order", 1);
  bend.field_error = t.number("field_error");
  bend.slices = t.count("slices", 4);
  bend.integration_order = t.count("integration_order", 4);
  bend.nonlinear = t.flag("nonlinear", true);
  bend.expansion_order = t.count("expansion_order", 0);
  bend.horizontal_kick = t.number("horizontal_kick");
  bend.vertical_kick = t.number("vertical_kick");
  bend.error_tilt = t.number("error_tilt");
  bend.expanded = t.flag("expanded");
  bend.closed = t.flag("closed");
  bend.is_corrected = t.flag("is_corrected");
  bend.radiates = t.flag("radiates");
  bend.quantum = t.flag("quantum");
  bend.crossing = t.number("crossing");
  bend.is_rigid = t.flag("is_rigid");
}

/// A bend by its Taylor map, of the same geometry and field as another one.
inline beam::Bend tracked_pals_bend(const PalsTracking& t, const beam::CanonicalBend& bend) {
  beam::CanonicalBend tracked = bend;
  track_pals_bend(t, tracked);
  beam::SectorBend magnet;
  magnet.length = bend.length;
  magnet.angle = bend.angle;
  magnet.k1 = bend.strengths.at(0);
  magnet.k2 = bend.strengths.at(1);
  magnet.entrance = bend.entrance;
  magnet.exit = bend.exit;
  magnet.half_gap = tracked.half_gap;
  magnet.fringe = tracked.fringe;
  magnet.entrance_edge = t.flag("entrance_edge", true);
  magnet.exit_edge = t.flag("exit_edge", true);
  magnet.entrance_curvature = bend.entrance_curve;
  magnet.exit_curvature = bend.exit_curve;
  magnet.dipole_error = t.number("dipole_error");
  magnet.error_tilt = t.number("error_tilt");
  magnet.edge_order = t.count("edge_order", 0);
  return {magnet, t.count("order", 2), bend.misalignment};
}

/// Puts how a cavity is tracked into it.
inline void track_pals_cavity(const PalsTracking& t, beam::RfCavity& cavity) {
  if (!t.is("RfCavity")) return;
  cavity.phase = t.exact("phase", cavity.phase, 1.);
  cavity.rest_energy = t.number("rest_energy", cavity.rest_energy);
  if (!t.has("reference_time"))
    cavity.reference_time.reset();
  else
    cavity.reference_time = t.number("reference_time");
  cavity.phase_reference = t.count("phase_reference", 0);
  cavity.fiducial = t.choice<beam::RfCavity::Fiducial>("fiducial", 3);
  cavity.entrance_focus = t.flag("entrance_focus");
  cavity.exit_focus = t.flag("exit_focus");
  cavity.body_focus = t.choice<beam::RfCavity::BodyFocus>("body_focus", 3);
  cavity.kicks = t.count("kicks", 0);
  cavity.standing_wave = t.flag("standing_wave");
}

}  // namespace trackplex::io::detail
