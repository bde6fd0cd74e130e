// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/detail/detector_flight.hpp>
#include <trackplex/simulation/detail/detector_noise.hpp>
#include <trackplex/simulation/trackml_weights.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::simulation {

/// Generator of events in any detector of modules and any magnetic field, with truth.
///
/// Each particle is followed by fourth-order Runge-Kutta steps. It leaves a hit in each module
/// that it crosses, two where modules overlap. In modules and layers with radiation lengths it
/// scatters by normally distributed angles, see `kalman::highland_angle`, and loses the mean
/// energy, see `kalman::bethe_energy_loss`. It ends when it leaves the detector or has no energy
/// left, and after `max_turn` or `max_path`. Hits are smeared in the plane of the module by normal
/// distributions with the standard deviation pitch / sqrt(12); a pitch_v of 0 is a strip, with v at
/// its centre. Noise hits are uniform on their modules.
///
/// Random numbers are counter-based: those of a particle depend only on the seed and the
/// numbers of the event and the particle. Everything is computed on the host, in double precision.
/// @tparam Field vector field, see geometry/field.hpp
template <geometry::VectorField<double> Field>
class DetectorGenerator {
 public:
  /// Copies the detector, the field and the parameters.
  /// @throws UsageError if a parameter is out of range, the detector has no modules, or a module
  /// has no pitch along u
  DetectorGenerator(geometry::DetectorDescription detector, Field field,
                    DetectorGeneratorParams params = {}, std::uint64_t seed = 1)
      : description_(std::move(detector)),
        field_(std::move(field)),
        params_(std::move(params)),
        seed_(seed) {
    params_.check();
    for (std::size_t i = 0; i < description_.modules.size(); ++i)
      if (!(description_.modules[i].pitch_u > 0.))
        throw UsageError("DetectorGenerator", "a module has no pitch",
                         "module " + std::to_string(i), "variances of hits are pitch^2 / 12");
    detector_.emplace(description_, params_);
  }
  DetectorGenerator(const DetectorGenerator&) = delete;
  DetectorGenerator& operator=(const DetectorGenerator&) = delete;

  /// Appends event `number` with these particles to `events`, which must belong to this detector.
  /// Weights are those of the TrackML challenge, see `trackml_weights`.
  void add_event(std::uint64_t number, std::span<const tracks::TrueParticle> particles,
                 tracks::DetectorEvents& events) const {
    std::vector<detail::TrueHit> hits;
    std::vector<std::int32_t> owner, n_hits;
    std::vector<std::array<double, 2>> smeared;
    detail::DetectorFlight<Field> flight(*detector_, params_, field_);
    for (std::size_t p = 0; p < particles.size(); ++p) {
      RandomStream<double> random(seed_, number << 32 | p);
      const auto first = hits.size();
      flight(particles[p], random, hits);
      n_hits.push_back(std::int32_t(hits.size() - first));
      owner.resize(hits.size(), std::int32_t(p));
      RandomStream<double> smearing(seed_, number << 32 | p, 1);
      for (auto i = first; i < hits.size(); ++i) smeared.push_back(smear(hits[i], smearing));
    }
    add_noise(number, hits, smeared);
    owner.resize(hits.size(), -1);
    append(particles, hits, owner, smeared, n_hits, events);
  }

  /// Returns one event, number 0, with these particles.
  tracks::DetectorEvents operator()(std::span<const tracks::TrueParticle> particles) const {
    tracks::DetectorEvents events(description_);
    add_event(0, particles, events);
    return events;
  }

 private:
  const geometry::Module& module(int number) const {
    return description_.modules[std::size_t(number)];
  }

  std::array<double, 2> smear(const detail::TrueHit& hit, RandomStream<double>& random) const {
    const auto& of = module(hit.module);
    const auto normal = random.normal_pair();
    const double per_pitch = 1. / std::sqrt(12.);
    return {hit.u + normal.first * of.pitch_u * per_pitch,
            of.pitch_v > 0. ? hit.v + normal.second * of.pitch_v * per_pitch : 0.};
  }

  void add_noise(std::uint64_t number, std::vector<detail::TrueHit>& hits,
                 std::vector<std::array<double, 2>>& smeared) const {
    const double ratio = params_.noise_fraction / (1. - params_.noise_fraction);
    if (!(ratio > 0.)) return;
    const detail::DetectorNoise noise(description_, params_, hits);
    RandomStream<double> random(seed_, number << 32 | 0xffffffffu, 2);
    const auto n = random.poisson(ratio * double(hits.size()));
    for (int i = 0; i < int(n); ++i) {
      hits.push_back(noise(random));
      smeared.push_back(
          {hits.back().u, module(hits.back().module).pitch_v > 0. ? hits.back().v : 0.});
    }
  }

  void append(std::span<const tracks::TrueParticle> particles,
              const std::vector<detail::TrueHit>& hits, const std::vector<std::int32_t>& owner,
              const std::vector<std::array<double, 2>>& smeared,
              const std::vector<std::int32_t>& n_hits, tracks::DetectorEvents& events) const {
    const auto first = events.hits.u.size();
    std::vector<double> z;
    for (std::size_t i = 0; i < hits.size(); ++i) {
      const auto& of = module(hits[i].module);
      events.hits.add(hits[i].module, smeared[i][0], smeared[i][1], of.pitch_u * of.pitch_u / 12.,
                      of.pitch_v * of.pitch_v / 12.);
      z.push_back(hits[i].z);
    }
    events.hits.end_event();
    const auto weights = trackml_weights(particles, owner, z);
    for (auto i = first; i < events.hits.u.size(); ++i) {
      const auto hit = std::size_t(events.hits.added[i]);
      events.particle_of_hit.push_back(owner[hit]);
      events.weight.push_back(weights[hit]);
    }
    events.particles.insert(events.particles.end(), particles.begin(), particles.end());
    events.n_hits.insert(events.n_hits.end(), n_hits.begin(), n_hits.end());
    events.particle_offsets.push_back(std::int32_t(events.particles.size()));
  }

  geometry::DetectorDescription description_;
  Field field_;
  DetectorGeneratorParams params_;
  std::uint64_t seed_;
  std::optional<detail::FlightDetector> detector_;
};

}  // namespace trackplex::simulation
