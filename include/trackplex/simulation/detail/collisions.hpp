// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/collision_params.hpp>
#include <trackplex/simulation/detail/charged_particle.hpp>
#include <trackplex/simulation/detail/velo_flight.hpp>
#include <trackplex/simulation/detail/velo_species.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace trackplex::simulation::detail {

/// The collisions of one event. Charged particles come from vertices in the luminous region, from
/// decays of strange, charm and beauty hadrons in flight, and in pairs from photons that convert in
/// a sensor; the builder follows each particle. It has
///
///   void begin_vertex(const Vector3&);  // the next particles come from there
///   std::size_t fly(const ChargedParticle&, std::optional<std::size_t> companion, Draws&);
///
/// where `companion` is the other particle of a pair, and the result is the particle's number.
template <class Builder>
class Collisions {
 public:
  Collisions(const CollisionParams& params, Builder& builder, Draws& draws)
      : params_(params), builder_(builder), draws_(draws) {}

  void operator()() {
    const unsigned vertices = draws_.poisson(params_.mean_vertices);
    for (unsigned i = 0; i < vertices; ++i) collide();
  }

 private:
  /// Particles with lower momentum (MeV) are absorbed where they are made; those outside |eta| <
  /// 6 stay in the beam pipe.
  static constexpr double min_momentum = 30.;
  static constexpr double max_eta = 6.;

  void collide() {
    const Pair across = draws_.normal_pair();
    const Pair along = draws_.normal_pair();
    const Vector3 vertex = {params_.luminous_sigma_xy * across.first,
                            params_.luminous_sigma_xy * across.second,
                            params_.luminous_z + params_.luminous_sigma_z * along.first};
    builder_.begin_vertex(vertex);
    const double primaries = std::floor(params_.mean_primaries * draws_.exponential() + 0.5);
    for (double i = 0.; i < primaries; ++i) emit(vertex);
  }

  /// One primary particle, with its decay or conversion.
  void emit(const Vector3& vertex) {
    double kind = draws_.coarse_uniform();
    const double eta = params_.eta_sigma * draws_.normal_pair().first;
    if (std::abs(eta) > max_eta) return;
    const double temperature =
        draws_.happens(params_.hard_fraction) ? params_.hard_temperature : params_.soft_temperature;
    const double first = draws_.exponential();
    const double pt = temperature * (first + draws_.exponential());
    const Vector3 momentum = momentum_from(pt, eta, draws_.direction());
    const auto is = [&](double fraction) { return (kind -= fraction) < 0.; };
    if (is(params_.conversion_fraction)) return convert(vertex, 0.5 * momentum);
    if (is(params_.kaon_short_fraction)) return decay(kaon_short, vertex, momentum);
    if (is(params_.lambda_fraction)) return decay(lambda, vertex, momentum);
    if (is(params_.charm_fraction)) return decay(charm_hadron, vertex, momentum);
    if (is(params_.beauty_fraction)) return decay(beauty_hadron, vertex, momentum);
    ChargedParticle particle{vertex, momentum};
    double species = draws_.coarse_uniform();
    for (const auto& candidate : primary_species) {
      if ((species -= candidate.fraction) >= 0.) continue;
      particle.species = candidate;
      break;
    }
    particle.charge = draws_.happens(0.5) ? 1 : -1;
    fly(particle);
  }

  /// Returns the particle's number in the event, if it was fast enough to get one.
  std::optional<std::size_t> fly(const ChargedParticle& particle,
                                 std::optional<std::size_t> companion = {}) {
    const double square = dot(particle.momentum, particle.momentum);
    if (square < min_momentum * min_momentum) return {};
    return builder_.fly(particle, companion, draws_);
  }

  void decay(const DecayingSpecies& parent, const Vector3& vertex, const Vector3& momentum) {
    ChargedParticle daughter;
    daughter.origin =
        vertex + (parent.decay_length / parent.mass * draws_.exponential()) * momentum;
    daughter.strange = parent.strange;
    daughter.charm = parent.charm;
    daughter.beauty = parent.beauty;
    daughter.charge = draws_.happens(0.5) ? 1 : -1;
    Vector3 at_rest;
    for (int i = 0; i < parent.daughters; ++i) {
      daughter.species = i == 0 ? parent.first_daughter : pion;
      at_rest =
          parent.daughters == 2 && i == 1 ? -1. * at_rest : isotropic(parent.momentum, draws_);
      daughter.momentum = boost(at_rest, daughter.species.mass, momentum, parent.mass);
      fly(daughter);
      daughter.charge = -daughter.charge;
    }
  }

  /// A photon becomes two electrons in one of the sensors that it crosses, each as probable; they
  /// share its momentum and part with a transverse momentum of the electron's mass.
  void convert(const Vector3& vertex, const Vector3& momentum) {
    std::vector<Vector3> places;
    Flight flight(vertex, momentum);
    for_each_crossing(flight, [&](const Crossing&) {
      places.push_back({flight.x, flight.y, flight.z});
      return true;
    });
    if (places.empty()) return;
    const double where = draws_.coarse_uniform() * static_cast<double>(places.size());
    const double share = draws_.uniform();
    const Pair kick = draws_.normal_pair();
    const Vector3 across = {electron.mass * kick.first, electron.mass * kick.second, 0.};
    ChargedParticle lepton;
    lepton.origin = places[static_cast<std::size_t>(where)];
    lepton.species = electron;
    lepton.momentum = share * momentum + across;
    const auto first = fly(lepton);
    lepton.momentum = (1. - share) * momentum + -1. * across;
    lepton.charge = -1;
    fly(lepton, first);
  }

  const CollisionParams& params_;
  Builder& builder_;
  Draws& draws_;
};

}  // namespace trackplex::simulation::detail
