// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/seeding/track_hits.hpp>
#include <trackplex/seeding/tracking_events.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::seeding {

namespace detail {

/// Of each particle of an event, the first hit on each of the first layers, or -1.
inline std::vector<std::int32_t> first_hits(const TrackingEvents& events, int event, int layers) {
  const int particles = events.particle_count(event);
  std::vector<std::int32_t> hits(std::size_t(particles) * layers, -1);
  for (int layer = 0; layer < layers; ++layer) {
    const auto first = std::size_t(
        events.hits.offsets[std::size_t(event) * events.hits.layers() + std::size_t(layer)]);
    for (int i = 0; i < events.hits.size(event, layer); ++i) {
      const int particle = events.particle_of_hit[first + i];
      if (particle < -1 || particle >= particles)
        throw UsageError("truth_seeds",
                         "a hit of event " + std::to_string(event) + " is of particle " +
                             std::to_string(particle),
                         "the event has " + std::to_string(particles));
      if (particle < 0) continue;
      auto& hit = hits[std::size_t(particle) * layers + layer];
      if (hit < 0) hit = i;
    }
  }
  return hits;
}

/// The particles of an event with a hit on each of the first layers, in the order of the azimuth of
/// the last of these hits and of the particles. `hits` are those of `first_hits`.
inline std::vector<std::int32_t> particles_by_azimuth(const TrackingEvents& events, int event,
                                                      int layers,
                                                      const std::vector<std::int32_t>& hits) {
  const auto first = std::size_t(
      events.hits.offsets[std::size_t(event) * events.hits.layers() + std::size_t(layers - 1)]);
  std::vector<std::pair<double, std::int32_t>> found;
  for (int particle = 0; particle < events.particle_count(event); ++particle) {
    const auto begin = hits.begin() + std::ptrdiff_t(particle) * layers;
    if (std::find(begin, begin + layers, -1) != begin + layers) continue;
    const auto last = first + std::size_t(begin[layers - 1]);
    found.emplace_back(atan2(double(events.hits.y[last]), double(events.hits.x[last])), particle);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::int32_t> particles;
  for (const auto& [azimuth, particle] : found) particles.push_back(particle);
  return particles;
}

/// The diagonal of the covariance that mkFit's seeds start with; see `truth_seeds`.
inline std::array<double, 6> truth_seed_variances(const kalman::Parameters<double>& start,
                                                  double min_error) {
  const auto cartesian = kalman::to_cartesian(start).coordinates;
  std::array<double, 6> variances;
  for (int i = 0; i < 6; ++i)
    variances[i] = std::max(cartesian(i) * cartesian(i), min_error * min_error);
  return variances;
}

}  // namespace detail

/// The seeds of mkFit's toy problem, from the truth: for each particle with a hit on each of the
/// first `layers` layers, these hits (the first one, where a particle has several on a layer). The
/// state is that at the vertex, and the start of `fit_seeds`. Its covariance is diag(x^2, y^2, z^2,
/// px^2, py^2, pz^2) (cm, GeV) taken for (x, y, z, 1/pT, phi, theta), as published; no error is
/// below `min_error` (cm, 1/GeV, rad).
///
/// Seeds come in the order of events and, in each, of the azimuth of their last hit, then of the
/// particles. Seeds that are neighbours thus look for hits that are neighbours in `BinnedHits`: the
/// lanes of a pack find them in the same lines of the cache, and the next pack in the cache.
///
/// Returns each seed's particle, as its index in the event. Waits until all is done.
/// @throws UsageError where there are not as many layers, or hits of particles that do not exist
template <class T, class Space>
std::vector<std::int32_t> truth_seeds(const Space& exec, const TrackingEvents& events, int layers,
                                      Seeds<T, Space>& seeds, double min_error = 1e-3) {
  if (layers < 1 || layers > events.hits.layers())
    throw UsageError("truth_seeds", "seeds of " + std::to_string(layers) + " layers",
                     "the events have " + std::to_string(events.hits.layers()));
  std::vector<std::int32_t> particles, event_of_seed, hits;
  for (int event = 0; event < events.events(); ++event) {
    const auto first = detail::first_hits(events, event, layers);
    for (const auto particle : detail::particles_by_azimuth(events, event, layers, first)) {
      const auto begin = first.begin() + std::ptrdiff_t(particle) * layers;
      particles.push_back(particle);
      event_of_seed.push_back(event);
      hits.insert(hits.end(), begin, begin + layers);
    }
  }

  const int n = int(particles.size());
  seeds.resize(exec, n, layers);
  const auto index = Kokkos::create_mirror_view(seeds.hits.index);
  const auto event = Kokkos::create_mirror_view(seeds.hits.event);
  const auto charge = Kokkos::create_mirror_view(seeds.states.charge);
  auto parameters = host_mirror(seeds.states.parameters);
  auto covariance = host_mirror(seeds.states.covariance);
  exec.fence();  // new memory is being filled with zeros
  for (int seed = 0; seed < n; ++seed) {
    const int e = event_of_seed[std::size_t(seed)];
    const auto& particle = events.particles[std::size_t(events.particle_offsets[std::size_t(e)]) +
                                            std::size_t(particles[std::size_t(seed)])];
    event(seed) = e;
    charge(seed) = T(particle.charge);
    for (int layer = 0; layer < layers; ++layer)
      index(layer * seeds.hits.stride() + seed) = hits[std::size_t(seed) * layers + layer];
    const auto variances = detail::truth_seed_variances(particle.start, min_error);
    for (int i = 0; i < 6; ++i) {
      parameters.view()(seed, i) = T(particle.start(i));
      for (int j = 0; j <= i; ++j)
        covariance.view()(seed, i, j) = i == j ? T(variances[std::size_t(i)]) : T(0);
    }
  }
  Kokkos::deep_copy(exec, seeds.hits.index, index);
  Kokkos::deep_copy(exec, seeds.hits.event, event);
  Kokkos::deep_copy(exec, seeds.states.charge, charge);
  deep_copy(exec, seeds.states.parameters, parameters);
  deep_copy(exec, seeds.states.covariance, covariance);
  exec.fence();
  return particles;
}

}  // namespace trackplex::seeding
