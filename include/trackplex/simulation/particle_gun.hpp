// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/random.hpp>
#include <trackplex/seeding/tracking_events.hpp>
#include <trackplex/simulation/detail/check_range.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace trackplex::simulation {

/// Parameters of `shoot_particles`.
struct ParticleGunParams {
  int particles = 1000;           ///< of an event
  double min_pt = 0.5,            ///< limits of the transverse momentum, GeV; between, its
      max_pt = 10.;               ///< logarithm is uniform
  double max_abs_eta = 2.;        ///< limit of |pseudorapidity|, which is uniform
  double vertex_sigma_xy = 0.01,  ///< standard deviation of vertices across the beam, cm
      vertex_sigma_z = 5.5;       ///< standard deviation of vertices along the beam, cm

  /// Checks the parameters.
  /// @throws UsageError if one is out of range
  void check() const {
    const auto range = [](const char* name, double value, double low, double high) {
      detail::check_range("particle gun", name, value, low, high);
    };
    range("particles", particles, 0., 1e8);
    range("min_pt", min_pt, 1e-3, 1e6);
    range("max_pt", max_pt, min_pt, 1e6);
    range("max_abs_eta", max_abs_eta, 0., 10.);
    range("vertex_sigma_xy", vertex_sigma_xy, 0., 1e3);
    range("vertex_sigma_z", vertex_sigma_z, 0., 1e3);
  }
};

/// Returns charged particles from the region of the collisions, in all directions across the beam.
///
/// Random numbers are counter-based: those of a particle depend on the seed and on the numbers of
/// the event and of the particle alone.
/// @throws UsageError if a parameter is out of range
inline std::vector<seeding::TrueParticle> shoot_particles(const ParticleGunParams& params,
                                                          std::uint64_t event,
                                                          std::uint64_t seed = 1) {
  params.check();
  std::vector<seeding::TrueParticle> particles;
  for (int i = 0; i < params.particles; ++i) {
    constexpr std::uint32_t substream = 3;  // others than those of a DetectorGenerator
    RandomStream<double> random(seed, event << 32 | std::uint64_t(i), substream);
    const auto across = random.normal_pair();
    const double z = params.vertex_sigma_z * random.normal();
    const double pt = params.min_pt * std::pow(params.max_pt / params.min_pt, random.uniform());
    const double eta = random.uniform(-params.max_abs_eta, params.max_abs_eta);
    const double phi = random.uniform(-std::numbers::pi, std::numbers::pi);
    const double theta = 2. * std::atan(std::exp(-eta));
    particles.push_back({{{params.vertex_sigma_xy * across.first,
                           params.vertex_sigma_xy * across.second, z, 1. / pt, phi, theta}},
                         random.uniform() < 0.5 ? -1 : 1});
  }
  return particles;
}

}  // namespace trackplex::simulation
