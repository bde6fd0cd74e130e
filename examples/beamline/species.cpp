// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles that are no electrons.
#include "beamline.hpp"

#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/collective/wake_cavity.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/radiation_effects.hpp>
#include <trackplex/beam/elements/rf_cavity_element.hpp>
#include <trackplex/beam/elements/rf_deflector.hpp>
#include <trackplex/beam/elements/solenoid_field.hpp>
#include <trackplex/beam/elements/trajectory_bend.hpp>
#include <trackplex/beam/elements/wiggler.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/io/openpmd/openpmd_particles.hpp>

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace beamline {

namespace {

bool is_same_mass(double a, double b) { return std::abs(a / b - 1.) < 1e-6; }

/// Particles that are tracked, or that a lattice is for.
struct Particles {
  double mass, charge;  ///< rest energy, eV; in units of the elementary charge

  double volts() const { return mass / std::abs(charge); }
};

/// Those of the lattice's beam; without one they are electrons.
Particles particles_of_lattice(const Input& input) {
  if (input.particle) return {input.particle->mass, input.particle->charge};
  return {io::rest_energy_of_species("electron"), io::charge_of_species("electron")};
}
Particles particles_of(const Input& input) {
  if (input.species_of_file.empty()) return particles_of_lattice(input);
  return {io::rest_energy_of_species(input.species), io::charge_of_species(input.species)};
}

template <class... Elements>
bool is_one_of(const beam::ElementKind& kind) {
  return (kind.as<Elements>() || ...);
}

/// Tells whether an element has a field in T or radiates, which changes orbits and apertures as for
/// electrons.
bool is_for_electrons(const beam::Element& element) {
  const auto radiates = [](const auto& magnet) { return magnet.radiates || magnet.quantum; };
  const auto& kind = element.kind;
  if (const auto* bend = kind.as<beam::CanonicalBend>()) return radiates(*bend);
  if (const auto* magnet = kind.as<beam::CanonicalMultipole>()) return radiates(*magnet);
  if (const auto* bend = kind.as<beam::TrajectoryBend>()) return radiates(bend->magnet);
  if (const auto* bend = kind.as<beam::CsrBend>()) return radiates(bend->magnet);
  return is_one_of<beam::SolenoidField, beam::SynchrotronRadiationEffects, beam::Wiggler>(kind);
}

/// Cavities give particles the energy of their charge and voltage: those of the lattice are for
/// others.
void set_particles(beam::BeamLine& line, const Particles& of_lattice, const Particles& particles) {
  for (auto& element : line)
    if (const auto* const as_read = element.kind.as<beam::RfCavity>()) {
      auto cavity = *as_read;
      cavity.rest_energy = particles.volts();
      element.kind = cavity;
    } else if (const auto* const wakes = element.kind.as<beam::WakeCavity>()) {
      auto cavity = *wakes;
      cavity.cavity.rest_energy = particles.volts();
      element.kind = cavity;
    } else if (const auto* const deflects = element.kind.as<beam::RfDeflector>()) {
      auto deflector = *deflects;
      deflector.voltage *= of_lattice.volts() / particles.volts();
      element.kind = deflector;
    }
}

}  // namespace

void find_species(Input& input) {
  if (input.particle && input.species_of_file.empty())
    input.species = io::species_of(input.particle->mass, input.particle->charge);
  const Particles of_lattice = particles_of_lattice(input), particles = particles_of(input);
  const bool is_same = is_same_mass(of_lattice.mass, particles.mass);
  if (is_same && (!input.particle || of_lattice.charge == particles.charge)) return;
  if (!is_same)
    for (auto* const line : {&input.injection, &input.line})
      set_particles(*line, of_lattice, particles);
  const std::string name = io::species_of(of_lattice.mass, of_lattice.charge);
  input.remarks.push_back(fmt::format(
      "the particles of the bunch are of the species {}, but those of the lattice {}: they are "
      "tracked and written as {}, with the fields and voltages of the lattice as they are",
      input.species, name.empty() ? "are others" : "of the species " + name, input.species));
}

void check_species(const Input& input) {
  if (is_same_mass(particles_of(input).mass, io::rest_energy_of_species("electron"))) return;
  for (const auto* const line : {&input.injection, &input.line})
    for (const auto& element : *line)
      if (is_for_electrons(element))
        throw UsageError(
            "element '" + element.name + "'", "what it does is computed for electrons only",
            input.species.empty() ? "the particles are others"
                                  : "the particles are of the species " + input.species,
            "leave it out");
}

void set_reference(Input& input) {
  const Particles particles = particles_of(input);
  beam::ReferenceParticle of;
  of.set_particle(particles.mass, particles.charge);
  if (input.particles) {
    input.particles->reference.mass = of.mass;
    input.particles->reference.charge = of.charge;
  } else {
    input.bunch.mass = of.mass;
    input.bunch.charge_number = of.charge;
  }
}

}  // namespace beamline
