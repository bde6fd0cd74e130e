// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/seeding/tracking_events.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/efficiency.hpp>

#include <cmath>
#include <numbers>
#include <vector>

namespace trackplex::validation::detail {

inline void add_to_bin(const BinEdges& bins, double value, const Efficiency& what,
                       std::vector<Efficiency>& to) {
  if (const auto bin = bins.find(value)) to[*bin] += what;
}

inline void add_to_azimuth_bin(const BinEdges& bins, double phi, const Efficiency& what,
                               std::vector<Efficiency>& to) {
  if (const auto bin = bins.find_azimuth(phi)) to[*bin] += what;
}

void add_bins(std::vector<Efficiency>& to, const std::vector<Efficiency>& from);

/// Of a particle at its vertex: pT in GeV, phi in -pi to pi.
struct ParticleKinematics {
  double pt, eta, phi;

  explicit ParticleKinematics(const seeding::TrueParticle& particle)
      : pt(1. / particle.start(kalman::Parameter::inverse_pt)),
        eta(-std::log(std::tan(0.5 * particle.start(kalman::Parameter::theta)))),
        phi(std::remainder(particle.start(kalman::Parameter::phi), 2. * std::numbers::pi)) {}
};

/// The number of layers with hits of each particle of all events.
std::vector<int> layers_of_particles(const seeding::TrackingEvents& events);

}  // namespace trackplex::validation::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/particle_bins.impl.hpp>
#endif
