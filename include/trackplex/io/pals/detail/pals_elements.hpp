// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/displacement.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/rotator.hpp>
#include <trackplex/beam/elements/set_momentum.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/io/pals/detail/pals_magnets.hpp>
#include <trackplex/io/pals/detail/pals_taylor.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// Elements of PALS as those of `beam`.

namespace trackplex::io::detail {

using PalsKinds = std::vector<beam::ElementKind>;

inline double energy_of(const PalsParticle& p) { return hypot(p.p0c, p.mass); }

/// The particle with another energy, eV.
inline PalsParticle with_energy(const PalsValues& v, std::string_view path, PalsParticle particle,
                                double energy) {
  if (!(energy > particle.mass))
    v.refuse(path, "the reference particle stops", "E_tot_ref is the rest energy and more");
  particle.p0c = std::sqrt((energy - particle.mass) * (energy + particle.mass));
  return particle;
}

/// A particle by its name, or by that of a variable.
inline PalsParticle pals_particle(PalsModel& model, const PalsValues& v, std::string_view path) {
  const YamlNode* const value = v.find(path);
  if (!value || value->text.empty())
    v.refuse(path, "the particles are not known", "species_ref: proton");
  std::string name = value->as_text("species_ref");
  if (!beam::find_species(name) && !value->is_quoted &&
      name.find_first_of("#+-") == std::string::npos)
    name = model.species(name, value->at);
  const beam::Species* const known = beam::find_species(name);
  if (!known) {
    std::vector<std::string_view> names;
    for (const beam::Species& one : beam::known_species) names.push_back(one.name);
    v.refuse(path,
             "particles are electron, positron, muon, antimuon, pion+, pion-, proton, "
             "antiproton and neutron",
             closest_name(name, names));
  }
  return {.species = name, .mass = known->mass, .charge = known->charge};
}

/// Reference particle of a BeginningEle, if it has one.
inline std::optional<PalsParticle> pals_beginning(PalsModel& model, const PalsValues& v) {
  const bool has_energy = v.has("ReferenceP.E_tot_ref"), has_momentum = v.has("ReferenceP.pc_ref");
  if (!has_energy && !has_momentum) return std::nullopt;
  PalsParticle particle = pals_particle(model, v, "ReferenceP.species_ref");
  if (has_energy)
    particle = with_energy(v, "ReferenceP.E_tot_ref", particle, v.number("ReferenceP.E_tot_ref"));
  if (!has_momentum) return particle;
  const double momentum = v.number("ReferenceP.pc_ref");
  if (!(momentum > 0.)) v.refuse("ReferenceP.pc_ref", "a reference particle moves");
  if (has_energy && std::abs(momentum / particle.p0c - 1.) > 1e-9)
    v.refuse("ReferenceP.pc_ref", "it does not agree with E_tot_ref");
  particle.p0c = momentum;
  return particle;
}

/// Reference particle after an element; null if it does not change.
inline std::optional<PalsParticle> pals_particle_after(const PalsValues& v,
                                                       const PalsSurroundings& at) {
  if (const double gain = v.number("RFP.dE_ref"); gain != 0.) {
    const PalsParticle& before = at.particle_of(v, "RFP.dE_ref");
    return with_energy(v, "RFP.dE_ref", before, energy_of(before) + gain);
  }
  std::string_view given;
  for (const std::string_view path : {"ReferenceChangeP.dE_ref", "ReferenceChangeP.dpc_ref",
                                      "ReferenceChangeP.E_tot_ref", "ReferenceChangeP.pc_ref"}) {
    if (!v.has(path)) continue;
    if (!given.empty()) v.refuse(path, "there is another change of the reference, too");
    given = path;
  }
  if (given.empty()) return std::nullopt;
  const double value = v.number(given);
  PalsParticle after = at.particle_of(v, given);
  if (given.ends_with("E_ref")) return with_energy(v, given, after, energy_of(after) + value);
  if (given.ends_with("E_tot_ref")) return with_energy(v, given, after, value);
  after.p0c = given.ends_with("dpc_ref") ? after.p0c + value : value;
  if (!(after.p0c > 0.)) v.refuse(given, "the reference particle stops");
  return after;
}

/// Elements with the change of the reference momentum after them, if there is one.
inline PalsKinds with_reference(const PalsValues& v, const PalsSurroundings& at, PalsKinds kinds) {
  if (const auto after = pals_particle_after(v, at))
    kinds.push_back(beam::SetMomentum{.momentum = after->p0()});
  return kinds;
}

// Cavities

inline double pals_voltage(const PalsValues& v) {
  const double voltage = v.number("RFP.voltage"), gradient = v.number("RFP.gradient");
  if (gradient == 0.) return voltage;
  const double active = v.number("RFP.L_active", v.number("length"));
  if (v.has("RFP.voltage") &&
      std::abs(voltage - gradient * active) > 1e-9 * std::abs(gradient * active))
    v.refuse("RFP.voltage", "it is not gradient * L_active", "leave one of them out");
  return v.has("RFP.voltage") ? voltage : gradient * active;
}

/// Frequency, Hz; 0 if there is none.
inline double pals_frequency(const PalsValues& v, const PalsSurroundings& at) {
  const double harmonic = v.number("RFP.harmon");
  if (harmonic == 0.) return v.number("RFP.frequency");
  if (v.number("RFP.frequency") != 0.)
    v.refuse("RFP.harmon", "there is a frequency, too", "leave one of them out");
  at.particle_of(v, "RFP.harmon");
  if (!(at.turn_time > 0.)) v.refuse("RFP.harmon", "the branch has no length");
  return harmonic / at.turn_time;
}

/// Phase with the crest at pi/2, rad; PALS has turns, with the crest at 0 unless `zero_phase` is
/// another one.
inline double pals_phase(const PalsValues& v) {
  constexpr double pi = std::numbers::pi;
  const double phase = 2. * pi * v.number("RFP.phase");
  switch (v.choice("RFP.zero_phase", {"ACCELERATING", "BELOW_TRANSITION", "ABOVE_TRANSITION"})) {
    case 0:
      return phase + 0.5 * pi;
    case 1:
      return phase;
    default:
      return phase + pi;
  }
}

inline PalsKinds make_pals_cavity(const PalsValues& v, const PalsSurroundings& at) {
  const double length = v.number("length"), voltage = pals_voltage(v);
  v.refuse_unless_zero({"RFP.multipass_phase", "SolenoidP.Ksol", "SolenoidP.Bsol"});
  v.choice("RFP.cavity_type", {"STANDING_WAVE", "TRAVELING_WAVE"});
  if (PalsField(v, length, at).order() >= 0)
    v.refuse("MagneticMultipoleP", "multipoles in cavities are not implemented");
  PalsKinds kinds = {make_pals_drift(length, at.options)};
  if (voltage != 0.) {
    const PalsParticle& particle = at.particle_of(v, "RFP.voltage");
    const beam::Misalignment by = pals_placement(v);
    if (by.dz != 0.) v.refuse("BodyShiftP.z_offset", "it is not implemented for RFCavity");
    beam::RfCavity cavity{.length = length, .voltage = voltage, .phase = pals_phase(v)};
    cavity.frequency = pals_frequency(v, at);
    cavity.kicks = 1;
    cavity.dx = by.dx;
    cavity.dy = by.dy;
    cavity.rest_energy = particle.mass / std::abs(particle.charge);
    if (!at.is_accelerated && at.time)
      cavity.reference_time =
          *at.time + 0.5 * length / (particle.beta() * constants::speed_of_light);
    track_pals_cavity(PalsTracking(v), cavity);
    if (cavity.frequency == 0.) at.remark(v, "it has no frequency: its field is constant");
    kinds = {cavity};
  }
  return with_reference(v, at, std::move(kinds));
}

/// The kick is largest at the crest.
inline beam::ElementKind make_pals_crab_cavity(const PalsValues& v, const PalsSurroundings& at) {
  const double voltage = pals_voltage(v);
  v.refuse_unless_zero({"RFP.multipass_phase", "RFP.dE_ref"});
  if (voltage == 0.) return beam::Marker{};
  const PalsParticle& particle = at.particle_of(v, "RFP.voltage");
  const double frequency = pals_frequency(v, at);
  if (!(frequency > 0.)) v.refuse("RFP.frequency", "a crab cavity has one");
  if (PalsField(v, 0., at).order() >= 0)
    v.refuse("MagneticMultipoleP", "multipoles in cavities are not implemented");
  beam::RfDeflector deflector{.voltage = voltage * constants::elegant::electron_energy_from_mass *
                                         std::abs(particle.charge) / particle.mass,
                              .phase = pals_phase(v) - 0.5 * std::numbers::pi,
                              .frequency = frequency,
                              .kicks = 1,
                              .misalignment = pals_placement(v)};
  const PalsTracking tracking(v);
  if (!tracking.is("RfDeflector")) return deflector;
  deflector.voltage = tracking.exact("voltage", deflector.voltage);
  deflector.phase = tracking.exact("phase", deflector.phase, 1.);
  deflector.kicks = tracking.count("kicks", 0);
  deflector.standing_wave = tracking.flag("standing_wave");
  deflector.magnetic = tracking.flag("magnetic");
  return deflector;
}

/// A rigid shift of the axis, and a rotation about it.
inline PalsKinds make_pals_patch(const PalsValues& v, const PalsSurroundings& at) {
  v.refuse_unless_zero({"PatchP.x_rot", "PatchP.y_rot", "ReferenceChangeP.dtime_ref"});
  if (v.flag("PatchP.flexible", false)) v.refuse("PatchP.flexible", "it is not implemented");
  const double length = v.number("PatchP.z_offset");
  if (v.flag("PatchP.user_sets_length", false) && v.number("length") != length)
    v.refuse("length", "it is that of PatchP.z_offset", "leave user_sets_length out");
  PalsKinds kinds;
  if (length != 0.) kinds.push_back(make_pals_drift(length, at.options));
  const double dx = v.number("PatchP.x_offset"), dy = v.number("PatchP.y_offset");
  if (dx != 0. || dy != 0.) kinds.push_back(beam::Displacement{.dx = -dx, .dy = -dy});
  if (const double tilt = v.number("PatchP.z_rot"); tilt != 0.)
    kinds.push_back(beam::Rotator{tilt});
  kinds = with_reference(v, at, std::move(kinds));
  if (kinds.empty()) kinds.push_back(beam::Marker{});
  return kinds;
}

inline beam::ElementKind make_pals_reference(const PalsValues& v, const PalsSurroundings& at) {
  v.refuse_unless_zero({"ReferenceChangeP.dtime_ref"});
  for (const char* const path : {"ReferenceChangeP.time_ref", "ReferenceChangeP.species_ref"})
    if (v.has(path)) v.refuse(path, "it is not implemented");
  const auto after = pals_particle_after(v, at);
  if (!after) return beam::Marker{};
  return beam::SetMomentum{.momentum = PalsTracking(v).exact("momentum", after->p0())};
}

/// The element without its aperture.
inline PalsKinds make_pals_body(const PalsValues& v, const PalsSurroundings& at) {
  const std::string_view kind = v.kind();
  const double length = v.number("length");
  const auto is_one_of = [&](std::string_view kinds) {
    const auto words = words_of(kinds);
    return std::ranges::find(words, kind) != words.end();
  };
  if (is_one_of("Bend SBend RBend")) return {PalsBend(v, at).make()};
  if (is_one_of("BeginningEle CrabCavity FloorShift Fork Marker ReferenceChange Taylor") &&
      length != 0.)
    v.refuse("length", "a " + v.kind() + " has none");
  if (is_one_of("BeginningEle FloorShift Fork Marker")) return {beam::Marker{}};
  if (kind == "Patch") return make_pals_patch(v, at);
  if (kind == "Taylor") return {make_pals_taylor(v, at)};
  if (kind == "ReferenceChange") return {make_pals_reference(v, at)};
  const bool is_magnet =
      is_one_of("Instrument Kicker Mask Multipole Octupole Quadrupole Sextupole");
  const bool is_known = is_magnet || is_one_of("CrabCavity Drift RFCavity Solenoid");
  if (!is_known) v.refuse_element("this kind is not implemented");
  const auto tracked = tracked_pals_drift(v);
  if (kind == "Drift" && tracked) return {*tracked};
  if (kind == "Drift" || !v.flag("is_on", true))
    return with_reference(v, at, {make_pals_drift(length, at.options)});
  if (is_magnet) return {make_pals_magnet(v, at)};
  if (kind == "Solenoid") return {make_pals_solenoid(v, at)};
  if (kind == "RFCavity") return make_pals_cavity(v, at);
  return {make_pals_crab_cavity(v, at)};
}

/// Path length of an element.
inline double pals_length(const PalsValues& v, const PalsSurroundings& at) {
  if (v.kind().ends_with("Bend")) return PalsBend(v, at).length();
  return v.number(v.kind() == "Patch" ? "PatchP.z_offset" : "length");
}

/// Whether an element is another one at other places of a branch.
inline bool depends_on_place(const PalsValues& v) {
  return v.has("RFP") || v.has("ReferenceChangeP");
}

}  // namespace trackplex::io::detail
