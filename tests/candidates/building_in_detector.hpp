// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <trackplex/candidates/build_tracks.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/kalman/host_track_states.hpp>
#include <trackplex/kalman/propagation.hpp>
#include <trackplex/kalman/update.hpp>
#include <trackplex/search/binned_detector_hits.hpp>
#include <trackplex/seeding/three_hits.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <type_traits>
#include <vector>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {

/// Barrels, two of them of strips, and disks on both sides. Modules overlap by `overlap` on each
/// side.
inline geometry::DetectorDescription barrels_and_disks(double overlap = 0.1) {
  const geometry::SensorParams pixels{
      .pitch_u = 0.006, .pitch_v = 0.02, .thickness = 0.03, .radiation_lengths = 0.005};
  const geometry::SensorParams strips{
      .pitch_u = 0.008, .pitch_v = 0., .thickness = 0.03, .radiation_lengths = 0.005};
  const double stagger = std::max(0.3, 2. * overlap);
  geometry::DetectorBuilder builder;
  for (const int n : {12, 24, 36, 48, 60, 72, 90}) {
    const bool has_strips = n == 60 || n == 72;
    builder.barrel({.radius = 0.3 * n,
                    .half_length = 30.,
                    .n_phi = n,
                    .n_z = has_strips ? 6 : 10,
                    .overlap = overlap,
                    .stagger = stagger,
                    .sensor = has_strips ? strips : pixels});
  }
  for (const double side : {-1., 1.})
    for (const double z : {34., 40., 47., 55., 64., 74.})
      builder.disk({.z = side * z,
                    .inner = 3.,
                    .outer = 25.,
                    .n_phi = {12, 24, 36, 48},
                    .overlap = overlap,
                    .stagger = stagger,
                    .sensor = pixels});
  return builder.build();
}

/// Tilted planes along z, for tracks of the model ForwardTrack.
inline geometry::DetectorDescription tilted_planes() {
  geometry::DetectorBuilder builder;
  for (int i = 0; i < 9; ++i)
    builder.plane(
        {.centre = {0., 0., 5. + 8. * i},
         .normal = {0.1 * (i % 3 - 1), 0.05 * (i % 2), 1.},
         .half_u = 12.,
         .half_v = 12.,
         .angle = 0.1 * i,
         .sensor = {
             .pitch_u = 0.005, .pitch_v = 0.01, .thickness = 0.03, .radiation_lengths = 0.004}});
  return builder.build();
}

/// Number rounded to a multiple of 2^-30 (1e-9): the same with every library of sines and cosines.
inline double rounded(double x) { return std::round(x * 0x1p30) * 0x1p-30; }
/// Detector whose modules have rounded frames.
inline geometry::DetectorDescription with_rounded_frames(geometry::DetectorDescription detector) {
  for (auto& module : detector.modules)
    for (auto* const vector : {&module.frame.centre, &module.frame.u, &module.frame.v})
      for (int k = 0; k < 3; ++k) (*vector)(k) = rounded((*vector)(k));
  return detector;
}
/// Rounds the coordinates of hits.
inline void round_hits(hits::HostDetectorHits& hits) {
  for (auto* const coordinate : {&hits.u, &hits.v})
    for (auto& number : *coordinate) number = rounded(number);
}

inline constexpr double building_tesla = 2.;
inline constexpr geometry::UniformVectorField dipole{0., 0.8, 0.};

/// Particles from near the origin to all sides, or along z.
inline std::vector<tracks::TrueParticle> random_particles(int n, std::uint64_t event,
                                                          bool along_z = false) {
  std::vector<tracks::TrueParticle> particles;
  for (int i = 0; i < n; ++i) {
    RandomStream<double> random(11, event << 32 | std::uint64_t(i));
    const auto uniform = [&](double low, double high) {
      return low + (high - low) * random.uniform();
    };
    tracks::TrueParticle particle;
    const double eta = along_z ? uniform(2.8, 4.) : uniform(-2.2, 2.2);
    const double pt = along_z ? uniform(0.1, 0.6) : uniform(0.4, 4.);
    const double start[] = {uniform(-0.05, 0.05),
                            uniform(-0.05, 0.05),
                            along_z ? 0. : uniform(-4., 4.),
                            1. / pt,
                            uniform(-std::numbers::pi, std::numbers::pi),
                            2. * std::atan(std::exp(-eta))};
    for (int k = 0; k < 6; ++k) particle.start(k) = start[k];
    particle.charge = random.uniform() < 0.5 ? -1 : 1;
    particles.push_back(particle);
  }
  return particles;
}

inline tracks::DetectorEvents generated_events(
    const geometry::DetectorDescription& detector, int events, int particles, bool along_z = false,
    const simulation::DetectorGeneratorParams& params = {}) {
  const geometry::UniformVectorField solenoid{0., 0., building_tesla};
  const simulation::DetectorGenerator generator(detector, along_z ? dipole : solenoid, params);
  tracks::DetectorEvents all(detector);
  for (int event = 0; event < events; ++event)
    generator.add_event(std::uint64_t(event),
                        random_particles(particles, std::uint64_t(event), along_z), all);
  return all;
}

/// Truth of events: the hits of each particle along its track, as indices of those of all events.
struct TrueTrack {
  int event;
  std::vector<std::int32_t> hits;
};
inline std::vector<TrueTrack> true_tracks(const tracks::DetectorEvents& events) {
  std::vector<TrueTrack> tracks;
  for (int event = 0; event < events.events(); ++event) {
    const auto first = tracks.size();
    const int n = events.particle_offsets[std::size_t(event) + 1] -
                  events.particle_offsets[std::size_t(event)];
    tracks.resize(first + std::size_t(n), {event, {}});
    for (int hit = events.hits.first(event); hit < events.hits.first(event + 1); ++hit) {
      const int particle = events.particle_of_hit[std::size_t(hit)];
      if (particle >= 0) tracks[first + std::size_t(particle)].hits.push_back(hit);
    }
  }
  for (auto& track : tracks)
    std::sort(track.hits.begin(), track.hits.end(), [&](auto a, auto b) {
      return events.hits.added[std::size_t(a)] < events.hits.added[std::size_t(b)];
    });
  return tracks;
}

/// Seeds of the first three hits of particles that are on different layers.
template <class Model>
struct SeedList {
  std::vector<kalman::TrackState<double, Model>> states;  ///< at the last hit
  std::vector<std::int32_t> hits;                         ///< three of each
  std::vector<std::int32_t> event, layer;
  std::vector<std::size_t> track;  ///< index of the true track

  int size() const { return int(track.size()); }
};

/// Hit on a module, for fits on the host.
inline kalman::ModuleHit<double, 2> module_hit(const geometry::DetectorDescription& detector,
                                               const hits::HostDetectorHits& hits,
                                               std::int32_t hit) {
  const auto i = std::size_t(hit);
  const auto& frame = detector.modules[std::size_t(hits.module[i])].frame;
  return {geometry::to_global(frame, geometry::Vector3<double>{hits.u[i], hits.v[i], 0.}),
          frame.u,
          frame.v,
          {{hits.variance_u[i], 0., hits.variance_v[i]}},
          hits.variance_v[i] > 0. ? 2 : 1};
}

/// Wide state at the first of three hits: of the circle and line through them, or of a straight
/// line.
template <class Model>
kalman::TrackState<double, Model> wide_state(const kalman::ModuleHit<double, 2> (&hits)[3]) {
  if constexpr (std::is_same_v<Model, kalman::CentralTrack>) {
    kalman::SpacePoint<double> points[3];
    for (int i = 0; i < 3; ++i) {
      points[i].position = hits[i].point;
      for (auto& element : points[i].covariance.elements) element = 0.;
      for (int k = 0; k < 3; ++k) points[i].covariance(k, k) = 1e-4;
    }
    return seeding::state_of_three_hits<double>(points, kalman::UniformField{building_tesla},
                                                seeding::StartStatesParams());
  } else {
    kalman::TrackState<double, Model> state;
    for (auto& element : state.covariance.elements) element = 0.;
    const double dz = hits[1].point(2) - hits[0].point(2);
    for (int k = 0; k < 3; ++k) {
      state.parameters(k) = hits[0].point(k);
      state.covariance(k, k) = k < 2 ? 0.01 : 0.;
    }
    for (int k = 0; k < 2; ++k) {
      state.parameters(3 + k) = (hits[1].point(k) - hits[0].point(k)) / dz;
      state.covariance(3 + k, 3 + k) = 1e-4;
    }
    state.parameters(5) = 1e-3;
    state.covariance(5, 5) = 0.25;
    state.charge = 1.;
    return state;
  }
}

template <class Model, class Field>
SeedList<Model> true_seeds(const geometry::DetectorDescription& detector,
                           const tracks::DetectorEvents& events, const Field& field) {
  SeedList<Model> seeds;
  const auto tracks = true_tracks(events);
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    std::vector<std::int32_t> three;
    std::vector<int> layers;
    for (const auto hit : tracks[t].hits) {
      const int layer = events.hits.layer_of_module(events.hits.module[std::size_t(hit)]);
      if (three.size() == 3 || std::find(layers.begin(), layers.end(), layer) != layers.end())
        continue;
      three.push_back(hit);
      layers.push_back(layer);
    }
    if (three.size() < 3) continue;
    const kalman::ModuleHit<double, 2> hits[] = {module_hit(detector, events.hits, three[0]),
                                                 module_hit(detector, events.hits, three[1]),
                                                 module_hit(detector, events.hits, three[2])};
    auto state = wide_state<Model>(hits);
    bool reached = true;
    for (const auto& hit : hits) {
      reached = reached && kalman::propagate(state, field, hit.surface());
      kalman::update(state, kalman::measure_in_module(hit, state.parameters));
    }
    if (!reached) continue;
    seeds.states.push_back(state);
    seeds.hits.insert(seeds.hits.end(), three.begin(), three.end());
    seeds.event.push_back(tracks[t].event);
    seeds.layer.push_back(layers.back());
    seeds.track.push_back(t);
  }
  return seeds;
}

/// Wide states at the first hits of tracks, from their first three hits.
template <class Lists>
std::vector<kalman::TrackState<double>> start_states(const geometry::DetectorDescription& detector,
                                                     const hits::HostDetectorHits& hits,
                                                     const Lists& tracks) {
  std::vector<kalman::TrackState<double>> states;
  for (const auto& track : tracks) {
    const kalman::ModuleHit<double, 2> three[] = {module_hit(detector, hits, track[0]),
                                                  module_hit(detector, hits, track[1]),
                                                  module_hit(detector, hits, track[2])};
    states.push_back(wide_state<kalman::CentralTrack>(three));
  }
  return states;
}

/// States in the memory of a space.
template <class T, class Model, class Space>
kalman::TrackStates<T, MemoryOf<Space>, Model> states_on(
    const Space& exec, const std::vector<kalman::TrackState<double, Model>>& list) {
  kalman::HostTrackStates<T, MemoryOf<Space>, Model> host;
  host.allocate(HostExecutor(), int(list.size()));
  for (int i = 0; i < int(list.size()); ++i) {
    const auto& state = list[std::size_t(i)];
    for (int e = 0; e < 6; ++e)
      host.parameters.view().element(i, e) = T(state.parameters.elements[e]);
    for (int e = 0; e < 21; ++e)
      host.covariance.view().element(i, e) = T(state.covariance.elements[e]);
    host.charge(std::size_t(i)) = T(state.charge);
  }
  auto states = enqueue_copy<kalman::TrackStates<T, MemoryOf<Space>, Model>>(exec, host);
  exec.fence();
  return states;
}

/// Hits of tracks on the host and on a space, `layers` slots of each.
template <class Space>
tracks::TrackHits<MemoryOf<Space>> track_hits_on(const Space& exec,
                                                 const std::vector<std::int32_t>& hits, int layers,
                                                 const std::vector<std::int32_t>& event) {
  tracks::TrackHits<Kokkos::HostSpace> host;
  host.allocate(HostExecutor(), int(event.size()), layers);
  for (int i = 0; i < host.tracks; ++i) {
    host.event(std::size_t(i)) = event[std::size_t(i)];
    for (int k = 0; k < layers; ++k) host(i, k) = hits[std::size_t(i * layers + k)];
  }
  auto device = enqueue_copy<tracks::TrackHits<MemoryOf<Space>>>(exec, host);
  exec.fence();
  return device;
}

/// Hits of tracks on the host, by slot.
template <class Tracks>
std::vector<std::vector<std::int32_t>> hits_of(const Tracks& tracks) {
  const auto index = host_copy(tracks.index);
  std::vector<std::vector<std::int32_t>> lists(std::size_t(tracks.tracks));
  for (int t = 0; t < tracks.tracks; ++t)
    for (int k = 0; k < tracks.layers; ++k)
      lists[std::size_t(t)].push_back(index(std::size_t(k * tracks.stride() + t)));
  return lists;
}

/// Everything that building needs, from events: hits in bins, navigation and true seeds.
template <class T, class Space, class TheModel = kalman::CentralTrack,
          class TheField = kalman::UniformField>
struct DetectorBuildingInput {
  using Model = TheModel;
  using Field = TheField;
  using Memory = MemoryOf<Space>;
  using Binned = search::BinnedDetectorHits<T, Memory>;
  using Found = tracks::FoundTracks<T, Memory, Model>;

  Space exec;
  Field field;
  geometry::Navigation<T, Memory> navigation;
  search::LayerAxes<T, Memory> axes;
  hits::DetectorHits<T, Memory> hits;
  Binned binned;
  SeedList<Model> list;
  seeding::Seeds<T, Memory, Model> seeds;

  DetectorBuildingInput(const geometry::DetectorDescription& detector,
                        const tracks::DetectorEvents& events, const Field& given,
                        const search::LayerAxesParams& bins = {.hits = {}, .default_hits = 150},
                        const geometry::NavigationParams& params = {})
      : field(given),
        navigation(
            geometry::to_device<T>(exec, detector, geometry::find_layer_graph(detector), params)),
        axes(search::layer_axes<T>(exec, detector, bins)),
        hits(hits::to_device<T>(exec, events.hits)),
        list(true_seeds<Model>(detector, events, given)) {
    bin({});
    seeds.states = states_on<T, Model>(exec, list.states);
    seeds.hits = track_hits_on(exec, list.hits, 3, list.event);
    seeds.layer = to_device<std::int32_t>(exec, "layer", list.layer);
  }

  static geometry::LayerGraph layer_graph(const geometry::DetectorDescription& detector) {
    geometry::LayerGraphParams params{.rays = 20'000};
    if constexpr (std::is_same_v<Model, kalman::ForwardTrack>)
      params.directions = geometry::RayDirections::forward;
    return geometry::find_layer_graph(detector, params);
  }

  /// Puts hits without a flag into bins.
  void bin(const std::vector<std::uint8_t>& taken) {
    using Bin = search::BinFreeHits<T, Space>;
    typename Bin::Taken flags;
    if (!taken.empty()) flags = to_device<std::uint8_t>(exec, "taken", taken);
    typename Bin::Scratch scratch;
    run_algorithm(exec, Bin{{{navigation.detector, axes}}}, hits, flags, binned, scratch);
    exec.fence();
  }

  template <class Strategy, int Width = test::state_lanes<Space, T>>
  Found build(const candidates::DetectorSearchParams& params = {},
              const candidates::TeamShape& shape = {}) const {
    Found found;
    using Build = candidates::BuildTracks<Strategy, T, Space, Field, Binned, Width, Model>;
    run_algorithm(exec, Build{navigation, field, params, shape}, seeds, binned, found);
    exec.fence();
    return found;
  }
};

}  // namespace trackplex::test
