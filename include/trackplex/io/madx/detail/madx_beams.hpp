// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/constants.hpp>
#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/io/madx/detail/madx_expressions.hpp>
#include <trackplex/io/madx/madx_options.hpp>

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// @file
/// Beams of MAD-X.

namespace trackplex::io::detail {

using MadxNumbers = std::map<std::string, double, std::less<>>;

/// Mass and charge of a particle that MAD-X knows; null for other names.
inline std::optional<MadxBeam> madx_particle(std::string_view name) {
  namespace c = constants;
  struct Particle {
    std::string_view name;
    double mass, charge;
  };
  static constexpr Particle known[] = {
      {"positron", c::electron_mass, 1.}, {"electron", c::electron_mass, -1.},
      {"proton", c::proton_mass, 1.},     {"antiproton", c::proton_mass, -1.},
      {"posmuon", c::muon_mass, 1.},      {"negmuon", c::muon_mass, -1.},
      {"ion", c::neutron_mass, 1.},
  };
  for (const Particle& particle : known)
    if (particle.name == name) return MadxBeam{std::string(name), particle.mass, particle.charge};
  return std::nullopt;
}

/// Beam with the values that it has had since the last statement BEAM.
class MadxBeamState {
 public:
  const MadxBeam& particles() const { return particles_; }
  /// -1: the beam goes against the direction of the sequence.
  double direction() const { return numbers_.at("bv"); }

  /// A value; none for names that BEAM does not have.
  std::optional<double> value(std::string_view name) const {
    const MadxBeam& p = particles_;
    namespace c = constants;
    if (name == "mass") return p.mass;
    if (name == "charge") return p.charge;
    if (name == "energy") return p.energy;
    if (name == "pc") return p.pc();
    if (name == "gamma") return p.gamma();
    if (name == "beta") return p.beta();
    if (name == "brho") return p.brho();
    if (name == "exn" || name == "eyn") return *value(name.substr(0, 2)) * p.beta() * p.gamma();
    if (name == "alfa") return 1. / (p.gamma() * p.gamma());
    if (name == "arad")
      return 1e-16 * p.charge * p.charge * c::elementary_charge * c::speed_of_light *
             c::speed_of_light / p.mass;
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  static bool is_momentum(std::string_view name) {
    for (const std::string_view known : {"energy", "pc", "gamma", "beta", "brho"})
      if (name == known) return true;
    return false;
  }

  /// Takes what a statement gives: first the particle, then the first one of energy, pc, gamma,
  /// beta and brho. Without any of these the total energy stays.
  void update(const std::string& particle, const MadxNumbers& given, const MadxPlace& at) {
    set_particle(particle, given);
    set_energy(given);
    const MadxBeam& p = particles_;
    if (!(p.mass > 0.) || !(p.energy > p.mass) || !std::isfinite(p.energy))
      refuse_madx(at, "the beam has no momentum",
                  "its energy is " + shortest(p.energy) + " GeV, its rest energy " +
                      shortest(p.mass) + " GeV");
    for (const auto& [name, number] : given)
      if (numbers_.contains(name)) numbers_[name] = number;
    for (const char* name : {"ex", "ey"})
      if (const auto normalized = given.find(std::string(name) + "n");
          normalized != given.end() && !given.contains(name))
        numbers_[name] = normalized->second / (p.beta() * p.gamma());
    if (direction() != 1. && direction() != -1.)
      refuse_madx(at, "BV is 1 or -1", shortest(direction()) + " is no direction");
  }
  /// Sets a value by itself.
  void set(const std::string& name, double number) { numbers_[name] = number; }

 private:
  void set_particle(const std::string& particle, const MadxNumbers& given) {
    const auto number = [&](const char* name, double otherwise) {
      const auto found = given.find(name);
      return found == given.end() ? otherwise : found->second;
    };
    MadxBeam& p = particles_;
    if (!particle.empty()) {
      const auto known = madx_particle(particle);
      p.particle = particle;
      if (particle == "ion") {
        p.mass = number("mass", known->mass);
        p.charge = number("charge", p.charge);
      } else if (known) {
        p.mass = known->mass;
        p.charge = known->charge;
      } else {
        p.mass = number("mass", constants::electron_mass);
        p.charge = number("charge", 1.);
      }
    } else if (p.particle == "ion") {
      p.mass = number("mass", p.mass);
      p.charge = number("charge", p.charge);
    } else if (given.contains("mass")) {
      p.particle = "default";
      p.mass = number("mass", p.mass);
      p.charge = number("charge", 1.);
    }
  }
  void set_energy(const MadxNumbers& given) {
    MadxBeam& p = particles_;
    const auto number = [&](const char* name) {
      const auto found = given.find(name);
      return found == given.end() ? std::nullopt : std::optional(found->second);
    };
    if (const auto energy = number("energy")) {
      p.energy = *energy;
    } else if (const auto pc = number("pc")) {
      p.energy = *pc > 0. ? hypot(*pc, p.mass) : 0.;
    } else if (const auto gamma = number("gamma")) {
      p.energy = *gamma * p.mass;
    } else if (const auto beta = number("beta")) {
      p.energy = p.mass / std::sqrt(1. - *beta * *beta);
    } else if (const auto brho = number("brho")) {
      p.energy = hypot(*brho * constants::momentum_per_tesla_metre * std::abs(p.charge), p.mass);
    }
  }

  MadxBeam particles_{};
  MadxNumbers numbers_ = {
      {"bv", 1.},      {"ex", 1.},      {"ey", 1.},     {"et", 1e-3},     {"sigt", 1.},
      {"sige", 1e-3},  {"kbunch", 1.},  {"npart", 1.},  {"bcurrent", 0.}, {"freq0", 0.},
      {"circ", 0.},    {"dtbyds", 0.},  {"deltap", 0.}, {"u0", 0.},       {"qs", 0.},
      {"bunched", 1.}, {"radiate", 0.}, {"n1min", -1.}, {"pdamp", 1.},
  };
};

}  // namespace trackplex::io::detail
