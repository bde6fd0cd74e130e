// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/chain/products.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/seeding/seeds.hpp>
#include <trackplex/tracks/tracking_events.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::seeding {

namespace detail {

/// First hit of each particle of an event on each of the first layers, or -1.
inline std::vector<std::int32_t> first_hits(const tracks::TrackingEvents& events, int event,
                                            int layers) {
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

/// Particles of an event with a hit on each of the first layers, ordered by the azimuth of the last
/// of these hits, then by particle. `hits` are those of `first_hits`.
inline std::vector<std::int32_t> particles_by_azimuth(const tracks::TrackingEvents& events,
                                                      int event, int layers,
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

/// Diagonal of the start covariance of mkFit's seeds; see `truth_seeds`.
inline std::array<double, 6> truth_seed_variances(const kalman::Parameters<double>& start,
                                                  double min_error) {
  const auto cartesian = kalman::to_cartesian(start).coordinates;
  std::array<double, 6> variances;
  for (int i = 0; i < 6; ++i)
    variances[i] = std::max(cartesian(i) * cartesian(i), min_error * min_error);
  return variances;
}

/// True seeds, in the order in which they are found.
struct TruthSeedList {
  std::vector<const tracks::TrueParticle*> truth;
  std::vector<std::int32_t> particle, event;
  std::vector<std::int32_t> hits;  ///< seed by seed, layer by layer

  void append(const tracks::TrackingEvents& events, int event_in_list, int event_in_all,
              int layers) {
    const auto first = first_hits(events, event_in_list, layers);
    const auto offset = std::size_t(events.particle_offsets[std::size_t(event_in_list)]);
    for (const auto index : particles_by_azimuth(events, event_in_list, layers, first)) {
      truth.push_back(&events.particles[offset + std::size_t(index)]);
      particle.push_back(index);
      event.push_back(event_in_all);
      const auto begin = first.begin() + std::ptrdiff_t(index) * layers;
      hits.insert(hits.end(), begin, begin + layers);
    }
  }
};

}  // namespace detail

/// Seeds from the truth, as in mkFit's toy problem: for each particle with a hit on each of the
/// first `layers` layers, these hits (the first one if a particle has several on a layer). The
/// state is the true one at the vertex, from which `FitSeeds` starts. Its covariance is diag(x^2,
/// y^2, z^2, px^2, py^2, pz^2) (cm, GeV) used for (x, y, z, 1/pT, phi, theta), as published; no
/// standard deviation is below `min_error`. A step on the host.
///
/// Seeds are in the order of the events and, in each, of the azimuth of their last hit, then of the
/// particles. Neighbouring seeds thus search neighbouring hits of `search::BinnedHits`: the lanes
/// of a pack find the hits in the same cache lines, and the next pack finds them in the cache.
template <class T, class ExecutionSpace>
struct TruthSeeds {
  static constexpr const char* name = "truth_seeds";
  using Events = chain::Events<tracks::TrackingEvents>;    ///< input
  using Seeds = StagedSeeds<T, MemoryOf<ExecutionSpace>>;  ///< output

  int layers = 3;           ///< number of layers of a seed, from the first layer on
  double min_error = 1e-3;  ///< smallest standard deviation of the start state: cm, 1/GeV, rad

  /// Allocates a seed for each particle.
  /// @throws UsageError if `layers` is below 1 or more than the events have
  template <class Memory>
  void allocate(const Memory& memory, const Events& events, Seeds& seeds,
                SeedOrigins& origins) const {
    std::size_t n = 0;
    for (const auto* list : events.pointers) {
      if (layers < 1 || layers > list->hits.layers())
        throw UsageError(name, "seeds of " + std::to_string(layers) + " layers",
                         "the events have " + std::to_string(list->hits.layers()));
      n += list->particles.size();
    }
    seeds.states.allocate(memory.of(seeds), int(n));
    seeds.hits.allocate(memory.of(seeds), int(n), layers);
    allocate_array(memory.of(origins), origins.particle, "Trackplex::Seeding::seed_particle", n);
  }

  /// Fills in the seeds and the particle of each.
  /// @throws UsageError if a hit belongs to a particle that does not exist
  void operator()(const Events& events, Seeds& seeds, SeedOrigins& origins) const {
    detail::TruthSeedList found;
    int first_event = 0;
    for (const auto* list : events.pointers) {
      for (int event = 0; event < list->events(); ++event)
        found.append(*list, event, first_event + event, layers);
      first_event += list->events();
    }
    const int n = int(found.particle.size());
    seeds.states.set_size(n);
    seeds.hits.set_size(n, layers);
    const auto parameters = seeds.states.parameters.view();
    const auto covariance = seeds.states.covariance.view();
    for (int seed = 0; seed < n; ++seed) {
      const auto s = std::size_t(seed);
      const auto& particle = *found.truth[s];
      origins.particle(s) = found.particle[s];
      seeds.hits.event(s) = found.event[s];
      seeds.states.charge(s) = T(particle.charge);
      for (int layer = 0; layer < layers; ++layer)
        seeds.hits(seed, layer) = found.hits[s * std::size_t(layers) + std::size_t(layer)];
      const auto variances = detail::truth_seed_variances(particle.start, min_error);
      for (int i = 0; i < 6; ++i) {
        parameters(seed, i) = T(particle.start(i));
        for (int j = 0; j <= i; ++j)
          covariance(seed, i, j) = i == j ? T(variances[std::size_t(i)]) : T(0);
      }
    }
  }
};

/// Makes seeds from the truth (see `TruthSeeds`), copies them to the memory of the instance and
/// waits for that. Returns the particle of each seed, as its index in the event.
/// @throws UsageError if `layers` is below 1 or more than the events have, or a hit belongs to a
///   particle that does not exist
template <class ExecutionSpace, class T>
std::vector<std::int32_t> truth_seeds(const ExecutionSpace& exec,
                                      const tracks::TrackingEvents& events, int layers,
                                      StartSeeds<T, MemoryOf<ExecutionSpace>>& seeds) {
  const tracks::TrackingEvents* const list[] = {&events};
  const chain::Events<tracks::TrackingEvents> batch{list};
  StagedSeeds<T, MemoryOf<ExecutionSpace>> staged;
  SeedOrigins origins;
  run_algorithm(exec, TruthSeeds<T, ExecutionSpace>{layers}, batch, staged, origins);
  seeds = enqueue_copy<StartSeeds<T, MemoryOf<ExecutionSpace>>>(exec, staged);
  exec.fence();
  const auto* const particles = origins.particle.data();
  return {particles, particles + staged.size()};
}

}  // namespace trackplex::seeding
