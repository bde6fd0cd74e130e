// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cmath>
#include <trackplex/core/random.hpp>
#include <trackplex/geometry/builder.hpp>
#include <trackplex/seeding/detector_triplets.hpp>
#include <trackplex/seeding/fill_seeds.hpp>
#include <trackplex/seeding/fit_seeds.hpp>
#include <vector>

#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {

/// Event, and indices of the inner, the middle and the outer hit.
using FoundTriplet = std::array<int, 4>;

inline constexpr kalman::UniformField field_of_barrels{2.};

/// Three barrels, and three disks on either side.
inline geometry::DetectorDescription barrels_and_disks() {
  geometry::DetectorBuilder builder;
  const geometry::SensorParams pixels{0.005, 0.0056, 0.03, 0.02};
  int n_phi = 12;
  for (const double radius : {3., 7., 11.}) {
    builder.barrel({.radius = radius,
                    .half_length = 20.,
                    .n_phi = n_phi,
                    .n_z = 6,
                    .overlap = 0.05,
                    .stagger = 0.2,
                    .sensor = pixels});
    n_phi += 12;
  }
  for (const double side : {1., -1.})
    for (const double z : {28., 36., 45.})
      builder.disk({.z = side * z,
                    .inner = 2.5,
                    .outer = 14.,
                    .n_phi = {16, 24},
                    .overlap = 0.05,
                    .stagger = 0.2,
                    .sensor = pixels});
  return builder.build();
}

inline const std::vector<seeding::TripleOfLayers> triples_of_barrels{
    {{0, 1, 2}}, {{0, 1, 3}}, {{0, 3, 4}}, {{3, 4, 5}},
    {{0, 1, 6}}, {{0, 6, 7}}, {{6, 7, 8}}, {{1, 3, 5}}};

/// Helix from (x0, y0, z0), by the path length in x-y.
struct Helix {
  double curvature, phi, cotangent, z0, x0 = 0., y0 = 0.;

  geometry::Vector3<double> at(double s) const {
    const double turn = phi + curvature * s;
    return {{x0 + (std::sin(turn) - std::sin(phi)) / curvature,
             y0 + (std::cos(phi) - std::cos(turn)) / curvature, z0 + cotangent * s}};
  }
  /// Path length to a plane, from a guess on.
  double to(const geometry::Frame<double>& frame, double s) const {
    const auto distance = [&](double path) {
      return geometry::dot(frame.normal(), at(path) - frame.centre);
    };
    for (int i = 0; i < 20; ++i)
      s -= distance(s) * 2e-3 / (distance(s + 1e-3) - distance(s - 1e-3));
    return s;
  }
};

/// Events of particles with hits on all modules that they cross, and of noise.
struct EventsOfBarrels {
  geometry::DetectorDescription detector = barrels_and_disks();
  hits::HostDetectorHits hits{detector};
  std::vector<int> particle_of_hit;

  /// @param from centre of the collisions, cm
  EventsOfBarrels(const std::vector<std::array<int, 2>>& particles_and_noise, double min_pt = 0.5,
                  const std::array<double, 3>& from = {})
      : centre(from) {
    for (const auto& [particles, noise] : particles_and_noise) add_event(particles, noise, min_pt);
  }

 private:
  std::array<double, 3> centre;

  void add_event(int particles, int noise, double min_pt) {
    std::vector<int> owner;
    const auto before = std::size_t(hits.first(hits.events()));
    for (int i = 0; i < particles; ++i) {
      RandomStream<double> random(5, std::uint64_t(1000 * hits.events() + i));
      const double pt = min_pt / random.uniform(0.02, 1.);
      const Helix helix{(random.uniform() < 0.5 ? -1. : 1.) * 0.00299792458 * 2. / pt,
                        random.uniform(-3.14, 3.14),
                        std::sinh(random.uniform(-2.8, 2.8)),
                        centre[2] + 1.5 * random.normal(),
                        centre[0],
                        centre[1]};
      for (int m = 0; m < int(detector.modules.size()); ++m)
        if (add_crossing(helix, m, random)) owner.push_back(i);
    }
    RandomStream<double> random(6, std::uint64_t(hits.events()));
    for (int i = 0; i < noise; ++i) {
      const int m = int(random.uniform(0., double(detector.modules.size())));
      const auto& half = detector.modules[std::size_t(m)].bounds.size;
      hits.add(m, random.uniform(-half[0], half[0]), random.uniform(-half[2], half[2]), 2e-6, 3e-6);
      owner.push_back(-1);
    }
    hits.end_event();
    for (std::size_t i = before; i < hits.u.size(); ++i)
      particle_of_hit.push_back(owner[std::size_t(hits.added[i])]);
  }
  bool add_crossing(const Helix& helix, int number, RandomStream<double>& random) {
    const auto& module = detector.modules[std::size_t(number)];
    const auto& layer = detector.layers[std::size_t(module.layer)];
    const bool barrel = layer.kind == geometry::LayerKind::barrel;
    const double guess = barrel ? layer.position : (layer.position - helix.z0) / helix.cotangent;
    if (guess < 0. || guess > 20.) return false;
    const double s = helix.to(module.frame, guess);
    if (!(s > 0. && s < 25.)) return false;
    const auto local = to_local(module.frame, helix.at(s));
    if (!module.bounds.contains(local(0), local(1))) return false;
    hits.add(number, local(0) + 0.0014 * random.normal(), local(1) + 0.0016 * random.normal(), 2e-6,
             3e-6);
    return true;
  }
};

inline seeding::DetectorTripletsParams cuts_of_barrels() {
  seeding::DetectorTripletsParams params;
  params.triples = triples_of_barrels;
  params.min_pt = 0.4;
  params.max_z0 = 6.;
  params.sigma_z0 = 1.5;
  return params;
}

/// The triplets of events on an execution space.
template <class T, class Space>
struct BarrelFinder {
  using Memory = MemoryOf<Space>;
  Space exec;
  const EventsOfBarrels& events;
  hits::DetectorHits<T, Memory> hits;
  geometry::Detector<T, Memory> detector;
  using Binned = search::BinnedDetectorHits<T, Memory>;
  Binned binned;
  seeding::Triplets<Memory> triplets;
  seeding::HostTripletCounts counts;
  seeding::StartSeeds<T, Memory> start;
  seeding::SeedOrigins origins;

  explicit BarrelFinder(const EventsOfBarrels& given, int hits_per_layer = 200)
      : events(given),
        hits(hits::to_device<T>(exec, given.hits)),
        detector(geometry::to_device<T>(exec, given.detector)) {
    using Bin = search::BinHits<T, Space, Binned>;
    search::LayerAxesParams bins;
    bins.default_hits = hits_per_layer;
    const Bin bin{{detector, search::layer_axes<T>(exec, given.detector, bins)}};
    typename Bin::Scratch scratch;
    run_algorithm(exec, bin, hits, binned, scratch);
    exec.fence();
  }

  template <int Width = state_lanes<Space, T>>
  std::vector<FoundTriplet> find(const seeding::DetectorTripletsParams& params) {
    using Field = kalman::UniformField;
    const seeding::FindDetectorTriplets<T, Space, Field, Width> find(exec, events.detector,
                                                                     field_of_barrels, params);
    typename decltype(find)::Scratch scratch;
    run_algorithm(exec, find, hits, binned, triplets, scratch);
    run_algorithm(exec, seeding::CountTriplets<Space>(), triplets, counts);
    exec.fence();
    const seeding::FillSeeds<T, Space, Field, Binned, Width> fill{field_of_barrels};
    run_algorithm(exec, fill, hits, binned, triplets, counts, start, origins);
    const auto index = to_host(exec, start.hits.index), event = to_host(exec, start.hits.event);
    std::vector<FoundTriplet> list;
    for (int seed = 0; seed < start.size(); ++seed) {
      const int stride = start.hits.stride();
      list.push_back({event(seed), index(seed), index(stride + seed), index(2 * stride + seed)});
    }
    return list;
  }
};

/// The binned hits as seen from the region of collisions.
template <class T>
auto points_about_beam(const BarrelFinder<T, HostExecutor>& finder,
                       const seeding::DetectorTripletCuts<T>& cuts) {
  seeding::detail::PointsAboutBeam<T, MemoryOf<HostExecutor>> points;
  const auto n = std::size_t(finder.hits.hits);
  points.points = decltype(points.points)("points", n);
  points.first = decltype(points.first)("azimuths", n);
  points.second = decltype(points.second)("second_coordinates", n);
  for (int place = 0; place < int(n); ++place) {
    const auto at = cuts.about_beam(finder.binned.template point<T>(place));
    const T r = sqrt(fma(at.x, at.x, at.y * at.y));
    points.points(place) = {at.x, at.y, at.z, r};
    points.first(place) = at.w;
    const auto layer = std::size_t(finder.binned.layer_of(place));
    const bool barrel = finder.events.detector.layers[layer].kind == geometry::LayerKind::barrel;
    points.second(place) = barrel ? at.z : r;
  }
  return points;
}

}  // namespace trackplex::test
