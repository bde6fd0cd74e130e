// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/kalman/coordinates.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/seeding/track_hits.hpp>
#include <trackplex/seeding/tracking_events.hpp>

#include <algorithm>
#include <array>
#include <span>
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

/// True seeds as they are found.
struct TruthSeedList {
  std::vector<const TrueParticle*> truth;
  std::vector<std::int32_t> particle, event;
  std::vector<std::int32_t> hits;  ///< seed by seed, layer by layer

  void append(const TrackingEvents& events, int event_in_list, int event_in_all, int layers) {
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

/// @throws UsageError where there are not as many layers
inline void require_seed_layers(const TrackingEvents& events, int layers) {
  if (layers < 1 || layers > events.hits.layers())
    throw UsageError("truth_seeds", "seeds of " + std::to_string(layers) + " layers",
                     "the events have " + std::to_string(events.hits.layers()));
}

}  // namespace detail

/// True seeds on the host, with the memory layout of a space.
template <class T, class Space>
struct StagedSeeds {
  kalman::HostTrackStates<T, MemoryOf<Space>> states;
  TrackHits<Kokkos::HostSpace> hits;
  Kokkos::View<std::int32_t*, Kokkos::HostSpace>
      particle;  ///< of each seed: its index in the event

  int size() const { return hits.tracks; }
};

/// See core/host_copy.hpp. Particles stay on the host; seeds have no chi2 before they are fitted.
template <class T, class Space, class F>
void for_each_array(const StagedSeeds<T, Space>& from, Seeds<T, MemoryOf<Space>>& to, const F& f) {
  for_each_array(from.states, to.states, f);
  for_each_array(from.hits, to.hits, f);
}
template <class T, class Space, class F>
void for_each_array(const Seeds<T, MemoryOf<Space>>& from, StagedSeeds<T, Space>& to, const F& f) {
  for_each_array(from.states, to.states, f);
  for_each_array(from.hits, to.hits, f);
}

/// Room for the true seeds of lists of events, from an instance, or what else `reserve(memory,
/// view, label, n)` takes: one for each particle.
/// @throws UsageError where there are not as many layers
template <class Memory, class T, class Space>
void reserve_truth_seeds(const Memory& memory, std::span<const TrackingEvents* const> lists,
                         int layers, StagedSeeds<T, Space>& seeds) {
  std::size_t n = 0;
  for (const auto* events : lists) {
    detail::require_seed_layers(*events, layers);
    n += events->particles.size();
  }
  seeds.states.reserve(memory, int(n));
  seeds.hits.reserve(memory, int(n), layers);
  reserve(memory, seeds.particle, "Trackplex::Seeding::seed_particle", n);
}

/// Makes the true seeds of lists of events, one after the other (see `truth_seeds`), where
/// `reserve_truth_seeds` made room for them.
/// @throws UsageError where hits are of particles that do not exist
template <class T, class Space>
void stage_truth_seeds(std::span<const TrackingEvents* const> lists, int layers,
                       StagedSeeds<T, Space>& seeds, double min_error = 1e-3) {
  detail::TruthSeedList found;
  int first_event = 0;
  for (const auto* events : lists) {
    for (int event = 0; event < events->events(); ++event)
      found.append(*events, event, first_event + event, layers);
    first_event += events->events();
  }
  const int n = int(found.particle.size());
  seeds.states.set_size(n);
  seeds.hits.set_size(n, layers);
  const auto parameters = seeds.states.parameters.view();
  const auto covariance = seeds.states.covariance.view();
  for (int seed = 0; seed < n; ++seed) {
    const auto s = std::size_t(seed);
    const auto& particle = *found.truth[s];
    seeds.particle(s) = found.particle[s];
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
                                      Seeds<T, MemoryOf<Space>>& seeds, double min_error = 1e-3) {
  const TrackingEvents* const list[] = {&events};
  const std::span<const TrackingEvents* const> lists(list);
  detail::require_seed_layers(events, layers);
  seeds.resize(exec, int(events.particles.size()), layers);
  const Kokkos::DefaultHostExecutionSpace host;
  StagedSeeds<T, Space> staged;
  reserve_copies(host, seeds, staged);
  reserve_truth_seeds(host, lists, layers, staged);
  exec.fence();  // new memory is being filled with zeros
  stage_truth_seeds(lists, layers, staged, min_error);
  seeds.resize(exec, staged.size(), layers);
  copy_arrays(exec, staged, seeds);
  exec.fence();
  const auto* const particle = staged.particle.data();
  return {particle, particle + staged.size()};
}

}  // namespace trackplex::seeding
