// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/pow.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/simulation/detail/check_range.hpp>
#include <trackplex/simulation/particle_gun.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <cstdint>
#include <numbers>
#include <vector>

namespace trackplex::simulation {

TRACKPLEX_INLINE void ParticleGunParams::check() const {
  const auto range = [](const char* name, double value, double low, double high) {
    detail::check_range("particle gun", name, value, low, high);
  };
  range("particles", particles, 0., 1e8);
  range("min_pt", min_pt, 1e-3, 1e6);
  range("max_pt", max_pt, min_pt, 1e6);
  range("max_abs_eta", max_abs_eta, 0., 10.);
  range("vertex_x", vertex_x, -1e6, 1e6);
  range("vertex_y", vertex_y, -1e6, 1e6);
  range("vertex_z", vertex_z, -1e6, 1e6);
  range("vertex_sigma_xy", vertex_sigma_xy, 0., 1e3);
  range("vertex_sigma_z", vertex_sigma_z, 0., 1e3);
}

TRACKPLEX_INLINE std::vector<tracks::TrueParticle> shoot_particles(const ParticleGunParams& params,
                                                                   std::uint64_t event,
                                                                   std::uint64_t seed) {
  params.check();
  std::vector<tracks::TrueParticle> particles;
  for (int i = 0; i < params.particles; ++i) {
    constexpr std::uint32_t substream = 3;  // others than those of a DetectorGenerator
    RandomStream<double> random(seed, event << 32 | std::uint64_t(i), substream);
    const auto across = random.normal_pair();
    const double z = params.vertex_z + params.vertex_sigma_z * random.normal();
    const double pt = params.min_pt * pow(params.max_pt / params.min_pt, random.uniform());
    const double eta = random.uniform(-params.max_abs_eta, params.max_abs_eta);
    const double phi = random.uniform(-std::numbers::pi, std::numbers::pi);
    const double theta = 2. * atan(exp(-eta));
    particles.push_back(
        {{{params.vertex_x + params.vertex_sigma_xy * across.first,
           params.vertex_y + params.vertex_sigma_xy * across.second, z, 1. / pt, phi, theta}},
         random.uniform() < 0.5 ? -1 : 1});
  }
  return particles;
}

TRACKPLEX_INLINE void BeamGunParams::check() const {
  const auto range = [](const char* name, double value, double low, double high) {
    detail::check_range("beam gun", name, value, low, high);
  };
  range("particles", particles, 0., 1e8);
  range("min_momentum", min_momentum, 1e-3, 1e6);
  range("max_momentum", max_momentum, min_momentum, 1e6);
  range("z", z, -1e6, 1e6);
  range("sigma_x", sigma_x, 0., 1e3);
  range("sigma_y", sigma_y, 0., 1e3);
  range("sigma_x_slope", sigma_x_slope, 0., 10.);
  range("sigma_y_slope", sigma_y_slope, 0., 10.);
}

TRACKPLEX_INLINE std::vector<tracks::TrueParticle> shoot_beam(const BeamGunParams& params,
                                                              std::uint64_t event,
                                                              std::uint64_t seed) {
  params.check();
  std::vector<tracks::TrueParticle> particles;
  for (int i = 0; i < params.particles; ++i) {
    constexpr std::uint32_t substream = 4;
    RandomStream<double> random(seed, event << 32 | std::uint64_t(i), substream);
    const auto position = random.normal_pair(), slope = random.normal_pair();
    const double tx = params.sigma_x_slope * slope.first, ty = params.sigma_y_slope * slope.second;
    const double across = hypot(tx, ty),
                 momentum = random.uniform(params.min_momentum, params.max_momentum);
    particles.push_back(
        {{{params.sigma_x * position.first, params.sigma_y * position.second, params.z,
           hypot(1., across) / (momentum * across), atan2(ty, tx), atan(across)}},
         random.uniform() < 0.5 ? -1 : 1});
  }
  return particles;
}

}  // namespace trackplex::simulation
