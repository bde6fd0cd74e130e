// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/beam/elements/watch.hpp>
#include <trackplex/core/constants.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/pals/detail/pals_description.hpp>
#include <trackplex/io/pals/detail/pals_taylor.hpp>
#include <trackplex/io/pals/pals_lattice.hpp>

#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

/// @file
/// Elements of `beam` as those of PALS: the inverse of pals_elements.hpp and pals_models.hpp.

namespace trackplex::io::detail {

/// Descriptions of elements; none where there is no counterpart.
class PalsDescriber {
 public:
  using Description = std::optional<PalsDescription>;

  explicit PalsDescriber(const std::optional<PalsParticle>& particle) : particle_(particle) {}

  Description describe(const beam::ElementKind& kind) const {
    return first_of<beam::Marker, beam::Watch, beam::Drift, beam::ExactDrift, beam::ExpandedDrift,
                    beam::Monitor, beam::Quadrupole, beam::ChromaticQuadrupole,
                    beam::CanonicalQuadrupole, beam::Sextupole, beam::CanonicalSextupole,
                    beam::Octupole, beam::CanonicalMultipole, beam::Bend, beam::CanonicalBend,
                    beam::Solenoid, beam::ExactSolenoid, beam::Kicker, beam::ExactKicker,
                    beam::RfCavity, beam::RfDeflector, beam::Collimator, beam::SetMomentum,
                    beam::Displacement, beam::Rotator, beam::MapElement>(kind);
  }

 private:
  template <class... Elements>
  Description first_of(const beam::ElementKind& kind) const {
    Description found;
    const auto try_one = [&](const auto* element) {
      if (element) found = of(*element);
      return element != nullptr;
    };
    (void)(try_one(kind.as<Elements>()) || ...);
    return found;
  }
  static PalsDescription with_length(const std::string& kind, double length) {
    return PalsDescription(kind).if_not_zero("length", length);
  }

  // Drifts

  static Description of(const beam::Marker&) { return PalsDescription("Marker"); }
  static Description of(const beam::Watch&) { return PalsDescription("Marker"); }
  static Description of(const beam::Drift& e) {
    return with_length("Drift", e.length).model("Drift").extra("order", e.order, 2.);
  }
  static Description of(const beam::ExactDrift& e) {
    return with_length("Drift", e.length).model("ExactDrift");
  }
  static Description of(const beam::ExpandedDrift& e) {
    return with_length("Drift", e.length).model("ExpandedDrift");
  }
  static Description of(const beam::Monitor& e) {
    return with_length("Instrument", e.length).model("Monitor").extra("order", e.order, 2.);
  }

  // Magnets

  template <class E>
  static PalsDescription magnet(const E& e, const std::string& kind, const std::string& model,
                                const std::string& strength, double value) {
    return with_length(kind, e.length)
        .number("MagneticMultipoleP." + strength, value)
        .placed(e.misalignment)
        .model(model);
  }
  template <class E>
  static PalsDescription sliced(const E& e, PalsDescription description) {
    return description.extra("slices", e.slices).extra("integration_order", e.integration_order);
  }
  static Description of(const beam::Quadrupole& e) {
    if (e.fringe.length != 0. || e.horizontal != 0. || e.vertical != 0.) return std::nullopt;
    return magnet(e, "Quadrupole", "Quadrupole", "Kn1", e.k1).extra("order", e.order, 2.);
  }
  static Description of(const beam::ChromaticQuadrupole& e) {
    return magnet(e, "Quadrupole", "ChromaticQuadrupole", "Kn1", e.k1);
  }
  static Description of(const beam::CanonicalQuadrupole& e) {
    return sliced(e, magnet(e, "Quadrupole", "CanonicalQuadrupole", "Kn1", e.k1));
  }
  static Description of(const beam::Sextupole& e) {
    if (e.k1 != 0. || e.j1 != 0.) return std::nullopt;
    return magnet(e, "Sextupole", "Sextupole", "Kn2", e.k2).extra("order", e.order, 2.);
  }
  static Description of(const beam::CanonicalSextupole& e) {
    return sliced(e, magnet(e, "Sextupole", "CanonicalSextupole", "Kn2", e.k2));
  }
  static Description of(const beam::Octupole& e) {
    return magnet(e, "Octupole", "Octupole", "Kn3", e.k3).extra("order", e.order, 2.);
  }
  static Description of(const beam::CanonicalMultipole& e) {
    PalsDescription d = with_length("Multipole", e.length);
    const auto add = [&](const std::string& letters, const std::vector<double>& strengths,
                         double sign) {
      for (std::size_t n = 0; n < strengths.size(); ++n)
        d.if_not_zero("MagneticMultipoleP." + letters + std::to_string(n) + "L",
                      sign * strengths[n]);
    };
    add("Kn", e.field.normal, 1.);
    add("Ks", e.field.skew, -1.);
    d.placed(e.misalignment).model("CanonicalMultipole");
    return sliced(e, d)
        .extra("expanded", e.expanded, 0.)
        .extra("radiates", e.radiates, 0.)
        .extra("quantum", e.quantum, 0.);
  }

  // Bends

  static PalsDescription bend(double length, double angle, double entrance, double exit) {
    return with_length("Bend", length)
        .if_not_zero("BendP.angle_ref", angle)
        .if_not_zero("BendP.e1", entrance)
        .if_not_zero("BendP.e2", exit);
  }
  static void add_edges(PalsDescription& d, double half_gap, double fringe,
                        const std::optional<double>& exit_fringe) {
    const double exit = exit_fringe.value_or(fringe);
    d.if_not_zero("BendP.edge1_int", half_gap * fringe)
        .if_not_zero("BendP.edge2_int", half_gap * exit);
    d.extra("half_gap", half_gap).extra("fringe", fringe);
    if (exit_fringe) d.extra("exit_fringe", exit);
  }
  static Description of(const beam::Bend& e) {
    const beam::SectorBend& m = e.magnet;
    const beam::Misalignment& by = e.misalignment;
    if (by.dx != 0. || by.dy != 0. || by.dz != 0.) return std::nullopt;
    PalsDescription d = bend(m.length, m.angle, m.entrance, m.exit);
    d.if_not_zero("BendP.h1", m.entrance_curvature).if_not_zero("BendP.h2", m.exit_curvature);
    d.if_not_zero("BendP.tilt_ref", by.tilt);
    d.if_not_zero("MagneticMultipoleP.Kn1", m.k1).if_not_zero("MagneticMultipoleP.Kn2", m.k2);
    d.model("Bend").extra("order", e.order, 2.).extra("edge_order", m.edge_order, 0.);
    add_edges(d, m.half_gap, m.fringe, std::nullopt);
    return d.extra("entrance_edge", m.entrance_edge, 1.)
        .extra("exit_edge", m.exit_edge, 1.)
        .extra("dipole_error", m.dipole_error, 0.)
        .extra("error_tilt", m.error_tilt, 0.);
  }
  static Description of(const beam::CanonicalBend& e) {
    PalsDescription d = bend(e.length, e.angle, e.entrance, e.exit);
    d.if_not_zero("BendP.h1", e.entrance_curve).if_not_zero("BendP.h2", e.exit_curve);
    if (e.k0) d.number("MagneticMultipoleP.Kn0", *e.k0);
    for (std::size_t n = 0; n < e.strengths.size(); ++n)
      d.if_not_zero("MagneticMultipoleP.Kn" + std::to_string(n + 1), e.strengths[n]);
    if (!place(d, e)) return std::nullopt;
    d.model("CanonicalBend");
    add_edges(d, e.half_gap, e.fringe, e.exit_fringe);
    return sliced(e, d)
        .extra("entrance_effects", int(e.entrance_effects))
        .extra("exit_effects", int(e.exit_effects))
        .extra("edge_order", e.edge_order, 1.)
        .extra("crossing", e.crossing, 0.)
        .extra("is_rigid", e.is_rigid, 0.)
        .extra("is_corrected", e.is_corrected, 0.)
        .extra("nonlinear", e.nonlinear, 1.)
        .extra("expansion_order", e.expansion_order, 0.)
        .extra("expanded", e.expanded, 0.)
        .extra("closed", e.closed, 0.)
        .extra("radiates", e.radiates, 0.)
        .extra("quantum", e.quantum, 0.)
        .extra("field_error", e.field_error, 0.)
        .extra("horizontal_kick", e.horizontal_kick, 0.)
        .extra("vertical_kick", e.vertical_kick, 0.)
        .extra("error_tilt", e.error_tilt, 0.);
  }
  /// Displacements of PALS are along the chord, and not those of tilted bends.
  static bool place(PalsDescription& d, const beam::CanonicalBend& e) {
    const beam::Misalignment& by = e.misalignment;
    d.if_not_zero("BendP.tilt_ref", by.tilt);
    if (by.dx == 0. && by.dy == 0. && by.dz == 0.) return true;
    if (by.tilt != 0.) return false;
    const double c = cos(0.5 * e.angle), s = sin(0.5 * e.angle);
    d.placed({.dx = c * by.dx + s * by.dz, .dy = by.dy, .tilt = 0., .dz = c * by.dz - s * by.dx});
    return true;
  }

  // Solenoids and kickers

  static Description of(const beam::Solenoid& e) {
    return with_length("Solenoid", e.length)
        .number("SolenoidP.Ksol", e.ks)
        .placed(e.misalignment)
        .model("Solenoid")
        .extra("order", e.order, 2.);
  }
  static Description of(const beam::ExactSolenoid& e) {
    return with_length("Solenoid", e.length)
        .number("SolenoidP.Ksol", e.ks)
        .placed(e.misalignment)
        .model("ExactSolenoid");
  }
  static PalsDescription kicker(double length, double horizontal, double vertical) {
    return with_length("Kicker", length)
        .number("MagneticMultipoleP.Kn0L", -horizontal)
        .number("MagneticMultipoleP.Ks0L", vertical);
  }
  static Description of(const beam::Kicker& e) {
    return kicker(e.length, e.horizontal, e.vertical)
        .if_not_zero("BodyShiftP.z_rot", e.tilt)
        .model("Kicker")
        .extra("order", e.order, 2.)
        .extra("b2", e.b2, 0.)
        .extra("edges", e.edges, 0.);
  }
  static Description of(const beam::ExactKicker& e) {
    return kicker(e.length, e.horizontal, e.vertical).placed(e.misalignment).model("ExactKicker");
  }

  // Cavities

  Description of(const beam::RfCavity& e) const {
    if (e.quality != 0. || e.linearize || e.lock_phase || e.change_time || e.change_momentum)
      return std::nullopt;
    PalsDescription d = with_length("RFCavity", e.length);
    d.number("RFP.voltage", e.voltage).number("RFP.frequency", e.frequency);
    d.number("RFP.phase", (e.phase - 0.5 * std::numbers::pi) / (2. * std::numbers::pi));
    d.if_not_zero("BodyShiftP.x_offset", e.dx).if_not_zero("BodyShiftP.y_offset", e.dy);
    d.model("RfCavity").extra("phase", e.phase).extra("rest_energy", e.rest_energy);
    if (e.reference_time) d.extra("reference_time", *e.reference_time);
    return d.extra("phase_reference", double(e.phase_reference), 0.)
        .extra("fiducial", int(e.fiducial), 0.)
        .extra("entrance_focus", e.entrance_focus, 0.)
        .extra("exit_focus", e.exit_focus, 0.)
        .extra("body_focus", int(e.body_focus), 0.)
        .extra("kicks", e.kicks, 0.)
        .extra("standing_wave", e.standing_wave, 0.);
  }
  /// A crab cavity has no length in PALS.
  Description of(const beam::RfDeflector& e) const {
    if (e.length != 0. || !particle_ || particle_->charge == 0.) return std::nullopt;
    const double volts =
        e.voltage * particle_->mass /
        (constants::elegant::electron_energy_from_mass * std::abs(particle_->charge));
    return PalsDescription("CrabCavity")
        .number("RFP.voltage", volts)
        .number("RFP.frequency", e.frequency)
        .number("RFP.phase", e.phase / (2. * std::numbers::pi))
        .placed(e.misalignment)
        .model("RfDeflector")
        .extra("voltage", e.voltage)
        .extra("phase", e.phase)
        .extra("kicks", e.kicks, 0.)
        .extra("standing_wave", e.standing_wave, 0.)
        .extra("magnetic", e.magnetic, 0.);
  }

  // Apertures and changes of the reference

  static Description of(const beam::Collimator& e) {
    const beam::Aperture& a = e.aperture;
    const bool is_ellipse = a.shape == beam::Aperture::Shape::ellipse;
    if (!a.is_plain() || (is_ellipse && (a.x_max == 0. || a.y_max == 0.))) return std::nullopt;
    PalsDescription d = with_length(e.length == 0. ? "Marker" : "Drift", e.length);
    d.word("ApertureP.shape", is_ellipse ? "ELLIPTICAL" : "RECTANGULAR");
    if (a.x_max > 0.)
      d.number("ApertureP.x_min", a.dx - a.x_max).number("ApertureP.x_max", a.dx + a.x_max);
    if (a.y_max > 0.)
      d.number("ApertureP.y_min", a.dy - a.y_max).number("ApertureP.y_max", a.dy + a.y_max);
    d.word("ApertureP.location", "BOTH_ENDS");
    return d.model("Collimator")
        .extra("x_max", a.x_max)
        .extra("y_max", a.y_max)
        .extra("dx", a.dx)
        .extra("dy", a.dy);
  }
  Description of(const beam::SetMomentum& e) const {
    if (!particle_ || e.match_line || e.match_particles || !(e.momentum > 0.)) return std::nullopt;
    return PalsDescription("ReferenceChange")
        .number("ReferenceChangeP.pc_ref", e.momentum * particle_->mass)
        .model("SetMomentum")
        .extra("momentum", e.momentum);
  }
  static Description of(const beam::Displacement& e) {
    if (e.dxp != 0. || e.dyp != 0. || e.dz != 0. || e.dt != 0. || e.dp != 0. || e.de != 0. ||
        e.on_pass >= 0)
      return std::nullopt;
    return PalsDescription("Patch")
        .if_not_zero("PatchP.x_offset", -e.dx)
        .if_not_zero("PatchP.y_offset", -e.dy);
  }
  static Description of(const beam::MapElement& e) { return describe_pals_taylor(e); }
  static Description of(const beam::Rotator& e) {
    return PalsDescription("Patch").if_not_zero("PatchP.z_rot", e.tilt);
  }

  const std::optional<PalsParticle>& particle_;
};

}  // namespace trackplex::io::detail
