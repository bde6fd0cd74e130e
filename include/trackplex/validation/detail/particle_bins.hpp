// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/seeding/tracking_events.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/efficiency.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace trackplex::validation::detail {

inline void add_to_bin(const BinEdges& bins, double value, const Efficiency& what,
                       std::vector<Efficiency>& to) {
  if (const auto bin = bins.find(value)) to[*bin] += what;
}

inline void add_bins(std::vector<Efficiency>& to, const std::vector<Efficiency>& from) {
  if (to.empty()) to.resize(from.size());
  if (to.size() != from.size())
    throw UsageError("TrackingQualityResult", "results with different bins cannot be added",
                     std::to_string(to.size()) + " and " + std::to_string(from.size()) + " bins");
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

/// Of a particle at its vertex: pT in GeV, phi in -pi to pi.
struct ParticleKinematics {
  double pt, eta, phi;

  explicit ParticleKinematics(const seeding::TrueParticle& particle)
      : pt(1. / particle.start(kalman::Parameter::inverse_pt)),
        eta(-std::log(std::tan(0.5 * particle.start(kalman::Parameter::theta)))),
        phi(std::remainder(particle.start(kalman::Parameter::phi), 2. * std::numbers::pi)) {}
};

/// The number of layers with hits of each particle of all events.
inline std::vector<int> layers_of_particles(const seeding::TrackingEvents& events) {
  std::vector<int> layers(events.particles.size(), 0), last(events.particles.size(), -1);
  const int per_event = events.hits.layers();
  for (int event = 0; event < events.events(); ++event) {
    const auto first = std::size_t(events.particle_offsets[std::size_t(event)]);
    for (int layer = 0; layer < per_event; ++layer) {
      const auto entry = std::size_t(event * per_event + layer);
      for (auto hit = events.hits.offsets[entry]; hit < events.hits.offsets[entry + 1]; ++hit) {
        const auto owner = events.particle_of_hit[std::size_t(hit)];
        if (owner < 0 || last[first + std::size_t(owner)] == layer) continue;
        last[first + std::size_t(owner)] = layer;
        ++layers[first + std::size_t(owner)];
      }
    }
  }
  return layers;
}

}  // namespace trackplex::validation::detail
