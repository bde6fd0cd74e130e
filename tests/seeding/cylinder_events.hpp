// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cmath>
#include <numeric>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/io/detectors/toy_tracking.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <trackplex/simulation/cylinder_tracks.hpp>
#include <trackplex/tracks/tracking_events.hpp>

namespace trackplex::test {

inline constexpr kalman::UniformField cylinder_field{3.8112};

/// Generated events in concentric cylinders, with the true parameters on the layers. The hits of a
/// layer are in another order than the particles.
struct CylinderEvents {
  tracks::TrackingEvents events;
  /// Of each particle of all events, on each layer.
  std::vector<std::vector<kalman::Parameters<double>>> on_layers;
  simulation::CylinderTrackParams params;

  CylinderEvents(const std::vector<int>& particles, simulation::CylinderTrackParams parameters = {})
      : events(parameters.layers), params(parameters) {
    std::uint64_t number = 0;
    for (const int n : particles) add_event(n, number);
  }

  tracks::CylinderLayers detector() const {
    tracks::CylinderLayers layers;
    layers.size = params.layers;
    for (int layer = 0; layer < params.layers; ++layer) layers.radius[layer] = params.radius(layer);
    return layers;
  }

 private:
  void add_event(int n, std::uint64_t& number) {
    std::vector<std::vector<kalman::SpacePoint<double>>> hits(
        std::size_t(params.layers), std::vector<kalman::SpacePoint<double>>(std::size_t(n)));
    for (int i = 0; i < n; ++i) {
      simulation::CylinderParticle<double> particle(params, number++);
      events.particles.push_back({particle.parameters(), int(particle.charge())});
      on_layers.emplace_back();
      for (auto& layer : hits) {
        particle.advance(cylinder_field);
        on_layers.back().push_back(particle.parameters());
        layer[std::size_t(i)] = particle.measure();
      }
    }
    events.particle_offsets.push_back(std::int32_t(events.particles.size()));
    for (std::size_t layer = 0; layer < hits.size(); ++layer) {
      std::vector<int> order(static_cast<std::size_t>(n));
      std::iota(order.begin(), order.end(), 0);
      const auto key = [&](int i) { return (i * 7919u + unsigned(layer) * 104729u) % 65537u; };
      std::sort(order.begin(), order.end(), [&](int i, int j) { return key(i) < key(j); });
      for (const int i : order) {
        const auto& hit = hits[layer][std::size_t(i)];
        std::array<float, 6> covariance;
        for (int e = 0; e < 6; ++e) covariance[e] = float(hit.covariance.elements[e]);
        events.hits.add(float(hit.position(0)), float(hit.position(1)), float(hit.position(2)),
                        covariance);
        events.particle_of_hit.push_back(i);
      }
      events.hits.end_layer();
    }
  }
};

/// Seeds with everything they hold.
template <class ExecutionSpace, class T, class MemorySpace>
std::string seeds_hash(const ExecutionSpace& exec, const seeding::Seeds<T, MemorySpace>& seeds) {
  Fingerprint hash;
  const auto index = to_host(exec, seeds.hits.index);
  const auto event = to_host(exec, seeds.hits.event);
  const auto chi2 = to_host(exec, seeds.fit.chi2);
  const auto states = kalman::states_on_host(exec, seeds.states);
  hash.add(seeds.size());
  for (int seed = 0; seed < seeds.size(); ++seed) {
    hash.add(event(seed)).add(chi2(seed)).add(states[std::size_t(seed)].charge);
    for (int layer = 0; layer < seeds.hits.layers; ++layer)
      hash.add(index(layer * seeds.hits.stride() + seed));
    for (const double p : states[std::size_t(seed)].parameters.elements) hash.add(p);
    for (const double c : states[std::size_t(seed)].covariance.elements) hash.add(c);
  }
  return hash.hex();
}

}  // namespace trackplex::test
