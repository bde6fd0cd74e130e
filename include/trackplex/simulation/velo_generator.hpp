// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_event.hpp>
#include <trackplex/simulation/detail/velo_event_builder.hpp>
#include <trackplex/simulation/velo_generator_params.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trackplex::simulation {

/// Generates events of the LHCb VELO with truth. An event is a function of the parameters, the seed
/// and its number alone, to the last bit and on every machine: the random numbers are counter-based
/// with the event's number as stream, and all math is portable.
///
/// Charged particles fly straight from vertices in the luminous region, from decays of strange,
/// charm and beauty hadrons in flight, and in pairs from photons that convert in a sensor; in each
/// sensor they leave a hit, smeared and rounded to 1 um, and scatter by an angle of
///
///   theta0 = 13.6 MeV/(beta p) sqrt(x/X0) (1 + 0.038 ln(x/X0))
///
/// (V. L. Highland; Review of Particle Physics, eq. 34.16), x growing with the slope, the logarithm
/// taken at normal incidence. There is no magnetic field and no energy loss. Particles with hits in
/// fewer than three modules are not listed in the truth, as in the experiment's own simulation, and
/// their hits are nobody's.
class VeloGenerator {
 public:
  /// @throws UsageError if a parameter is out of range
  explicit VeloGenerator(const VeloGeneratorParams& params = {}, std::uint64_t seed = 1)
      : params_(params), seed_(seed) {
    params_.check();
    if (const double x = params_.sensor_thickness; x > 0.) {
      scattering_ = 13.6 * std::sqrt(x) * (1. + 0.038 * trackplex::log(x));
    }
  }

  /// Event `number`; its name holds the seed and the number.
  lhcb::VeloEvent operator()(std::uint64_t number) const {
    detail::Draws draws(seed_, number);
    detail::VeloEventBuilder builder(params_, scattering_);
    const unsigned vertices = draws.poisson(params_.mean_vertices);
    for (unsigned i = 0; i < vertices; ++i) collide(builder, draws);
    const unsigned noise = draws.poisson(params_.mean_noise);
    for (unsigned i = 0; i < noise; ++i) builder.add_noise(draws);
    lhcb::VeloEvent event = builder.finish();
    event.name = "generated-" + std::to_string(seed_) + "-" + std::to_string(number);
    return event;
  }

 private:
  using Builder = detail::VeloEventBuilder;
  using Draws = detail::Draws;
  using Vector3 = detail::Vector3;

  /// Slower particles are absorbed where they are made, MeV; those outside of |eta| < 6 stay in the
  /// beam pipe.
  static constexpr double min_momentum = 30.;
  static constexpr double max_eta = 6.;

  void collide(Builder& builder, Draws& draws) const {
    const detail::Pair across = draws.normal_pair();
    const detail::Pair along = draws.normal_pair();
    const Vector3 vertex = {params_.luminous_sigma_xy * across.first,
                            params_.luminous_sigma_xy * across.second,
                            params_.luminous_z + params_.luminous_sigma_z * along.first};
    const double primaries = std::floor(params_.mean_primaries * draws.exponential() + 0.5);
    for (double i = 0.; i < primaries; ++i) emit(vertex, builder, draws);
  }

  /// One primary particle, whatever becomes of it.
  void emit(const Vector3& vertex, Builder& builder, Draws& draws) const {
    double kind = draws.coarse_uniform();
    const double eta = params_.eta_sigma * draws.normal_pair().first;
    if (std::abs(eta) > max_eta) return;
    const double temperature =
        draws.happens(params_.hard_fraction) ? params_.hard_temperature : params_.soft_temperature;
    const double first = draws.exponential();
    const double pt = temperature * (first + draws.exponential());
    const Vector3 momentum = detail::momentum_from(pt, eta, draws.direction());
    const auto is = [&](double fraction) { return (kind -= fraction) < 0.; };
    if (is(params_.conversion_fraction)) return convert(vertex, 0.5 * momentum, builder, draws);
    if (is(params_.kaon_short_fraction)) {
      return decay(detail::kaon_short, vertex, momentum, builder, draws);
    }
    if (is(params_.lambda_fraction)) {
      return decay(detail::lambda, vertex, momentum, builder, draws);
    }
    if (is(params_.charm_fraction)) {
      return decay(detail::charm_hadron, vertex, momentum, builder, draws);
    }
    if (is(params_.beauty_fraction)) {
      return decay(detail::beauty_hadron, vertex, momentum, builder, draws);
    }
    detail::ChargedParticle particle{vertex, momentum};
    double species = draws.coarse_uniform();
    for (const auto& candidate : detail::primary_species) {
      if ((species -= candidate.fraction) >= 0.) continue;
      particle.species = candidate;
      break;
    }
    particle.charge = draws.happens(0.5) ? 1 : -1;
    fly(particle, builder, draws);
  }

  /// Returns the particle's number in the event, if it was fast enough to get one.
  static std::optional<std::size_t> fly(const detail::ChargedParticle& particle, Builder& builder,
                                        Draws& draws, std::optional<std::size_t> companion = {}) {
    const double square = dot(particle.momentum, particle.momentum);
    if (square < min_momentum * min_momentum) return {};
    return builder.fly(particle, companion, draws);
  }

  static void decay(const detail::DecayingSpecies& parent, const Vector3& vertex,
                    const Vector3& momentum, Builder& builder, Draws& draws) {
    detail::ChargedParticle daughter;
    daughter.origin = vertex + (parent.decay_length / parent.mass * draws.exponential()) * momentum;
    daughter.strange = parent.strange;
    daughter.charm = parent.charm;
    daughter.beauty = parent.beauty;
    daughter.charge = draws.happens(0.5) ? 1 : -1;
    Vector3 at_rest;
    for (int i = 0; i < parent.daughters; ++i) {
      daughter.species = i == 0 ? parent.first_daughter : detail::pion;
      at_rest = parent.daughters == 2 && i == 1 ? -1. * at_rest
                                                : detail::isotropic(parent.momentum, draws);
      daughter.momentum = detail::boost(at_rest, daughter.species.mass, momentum, parent.mass);
      fly(daughter, builder, draws);
      daughter.charge = -daughter.charge;
    }
  }

  /// A photon becomes two electrons in one of the sensors that it crosses, each as probable; they
  /// share its momentum and part with a transverse momentum of the electron's mass.
  static void convert(const Vector3& vertex, const Vector3& momentum, Builder& builder,
                      Draws& draws) {
    std::vector<Vector3> places;
    detail::Flight flight(vertex, momentum);
    detail::for_each_crossing(flight, [&](const detail::Crossing&) {
      places.push_back({flight.x, flight.y, flight.z});
      return true;
    });
    if (places.empty()) return;
    const double where = draws.coarse_uniform() * static_cast<double>(places.size());
    const double share = draws.uniform();
    const detail::Pair kick = draws.normal_pair();
    const Vector3 across = {detail::electron.mass * kick.first, detail::electron.mass * kick.second,
                            0.};
    detail::ChargedParticle lepton;
    lepton.origin = places[static_cast<std::size_t>(where)];
    lepton.species = detail::electron;
    lepton.momentum = share * momentum + across;
    const auto first = fly(lepton, builder, draws);
    lepton.momentum = (1. - share) * momentum + -1. * across;
    lepton.charge = -1;
    fly(lepton, builder, draws, first);
  }

  VeloGeneratorParams params_;
  std::uint64_t seed_;
  double scattering_ = 0.;
};

}  // namespace trackplex::simulation
