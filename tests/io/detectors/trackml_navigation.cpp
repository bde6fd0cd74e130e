// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/host_executor.hpp>
#include <trackplex/geometry/navigation.hpp>
#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/trackml_detector.hpp>
#include <trackplex/io/table.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/data.hpp"

using namespace trackplex;
using namespace trackplex::geometry;

namespace {

/// True hit of a particle: in cm and GeV.
struct TrueHit {
  Vector3<double> point, momentum;
  int module, layer;
  double charge, distance;  // from the vertex
};

io::TableOfFile read_columns(const std::filesystem::path& path,
                             const std::vector<std::string>& integers,
                             const std::vector<std::string>& numbers) {
  std::vector<io::ColumnFormat> format;
  for (const auto& name : integers) format.push_back({name, "", io::ColumnType::int64});
  for (const auto& name : numbers) format.push_back({name, ""});
  return io::parse_table_csv(io::detail::read_plain_or_gzip(path), path.string(), format);
}

/// Hits of event 1 of particles with pT > 0.3 GeV from |r| < 2 mm, in the order of their distance
/// from the vertex.
std::vector<std::vector<TrueHit>> true_tracks(const DetectorDescription& detector) {
  const auto folder = test::data_or_skip("trackml");
  const auto file = [&](const char* name) {
    return folder / ("event000000001-" + std::string(name) + ".csv.gz");
  };
  const auto hits =
      read_columns(file("hits"), {"hit_id", "volume_id", "layer_id", "module_id"}, {"x", "y", "z"});
  const auto truth = read_columns(file("truth"), {"hit_id", "particle_id"},
                                  {"tx", "ty", "tz", "tpx", "tpy", "tpz", "weight"});
  const auto particles =
      read_columns(file("particles"), {"particle_id", "particle_type", "q", "nhits"},
                   {"vx", "vy", "vz", "px", "py", "pz"});
  const auto integer = [](const auto& table, const char* name, std::size_t row) {
    return table.template values<std::int64_t>(name)[row];
  };
  const auto number = [](const auto& table, const char* name, std::size_t row) {
    return table.template values<double>(name)[row];
  };
  std::map<std::int64_t, std::size_t> row_of;
  for (std::size_t i = 0; i < particles.rows(); ++i)
    if (std::hypot(number(particles, "px", i), number(particles, "py", i)) > 0.3 &&
        std::hypot(number(particles, "vx", i), number(particles, "vy", i)) < 2.)
      row_of[integer(particles, "particle_id", i)] = i;
  const ModuleNumbers modules(detector);
  std::map<std::size_t, std::vector<TrueHit>> tracks;
  for (std::size_t i = 0; i < truth.rows(); ++i) {
    REQUIRE(integer(truth, "hit_id", i) == integer(hits, "hit_id", i));
    const auto found = row_of.find(integer(truth, "particle_id", i));
    if (found == row_of.end()) continue;
    const auto p = found->second;
    TrueHit hit{{number(truth, "tx", i), number(truth, "ty", i), number(truth, "tz", i)},
                {number(truth, "tpx", i), number(truth, "tpy", i), number(truth, "tpz", i)},
                modules.find(std::uint64_t(integer(hits, "volume_id", i)),
                             std::uint64_t(integer(hits, "layer_id", i)),
                             std::uint64_t(integer(hits, "module_id", i))),
                0,
                double(integer(particles, "q", p)),
                0.};
    const auto from =
        hit.point - Vector3<double>{number(particles, "vx", p), number(particles, "vy", p),
                                    number(particles, "vz", p)};
    hit.distance = std::sqrt(dot(from, from));
    hit.point = 0.1 * hit.point;
    REQUIRE(hit.module >= 0);
    hit.layer = detector.modules[std::size_t(hit.module)].layer;
    tracks[p].push_back(hit);
  }
  std::vector<std::vector<TrueHit>> sorted;
  for (auto& [p, track] : tracks) {
    std::stable_sort(track.begin(), track.end(),
                     [](const TrueHit& a, const TrueHit& b) { return a.distance < b.distance; });
    sorted.push_back(track);
  }
  return sorted;
}

/// Calls f(from, to) for the neighbours of tracks on different layers.
template <class F>
void for_each_pair(const std::vector<std::vector<TrueHit>>& tracks, const F& f) {
  for (const auto& track : tracks)
    for (std::size_t i = 1; i < track.size(); ++i)
      if (track[i].layer != track[i - 1].layer) f(track[i - 1], track[i]);
}

/// d direction / d path in 2 T, 1/cm; `per_momentum` is charge / momentum.
Vector3<double> bend_of(const Vector3<double>& direction, double per_momentum) {
  const double turn = -0.003 * 2. * per_momentum;
  return {-turn * direction(1), turn * direction(0), 0.};
}

NextLayer<double> next_of(const Navigation<double, Kokkos::HostSpace>& navigation, int layer,
                          Vector3<double>& point, Vector3<double>& direction, double per_momentum) {
  const auto bend = bend_of(direction, per_momentum);
  const auto next = navigation.next<double>(std::int64_t(layer), point, direction, bend, true);
  if (next.layer < 0) return next;
  point = add_scaled(point, next.path, add_scaled(direction, 0.5 * next.path, bend));
  direction = add_scaled(direction, next.path, bend);
  direction = 1. / std::sqrt(dot(direction, direction)) * direction;
  return next;
}

/// Whether a track near a layer passes a module of it at least `inside` (cm) from the edges.
bool passes_module(const DetectorDescription& detector, int layer, const Vector3<double>& point,
                   const Vector3<double>& direction, double per_momentum, double inside) {
  const auto bend = bend_of(direction, per_momentum);
  const auto& of = detector.layers[std::size_t(layer)];
  for (int i = of.first_module; i < of.first_module + of.n_modules; ++i) {
    const auto& module = detector.modules[std::size_t(i)];
    const auto [path, reached] = Surface<double>::plane(module.frame.centre, module.frame.normal())
                                     .path(point, direction, bend);
    if (!reached || std::abs(path) > 5.) continue;
    const auto local =
        to_local(module.frame, add_scaled(point, path, add_scaled(direction, 0.5 * path, bend)));
    if (module.bounds.contains(local(0), local(1), -inside)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the layer graph of TrackML has the steps of true tracks", "[io]") {
  const auto detector = io::read_trackml_detector(test::data_or_skip("trackml/detectors.csv.gz"));
  const auto begin = std::chrono::steady_clock::now();
  const auto graph = find_layer_graph(detector);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  check(graph, detector);
  int edges = 0;
  for (const auto& list : graph.successors) edges += int(list.size());
  int pairs = 0, found = 0, first = 0, later = 0, without_hit = 0, holes = 0, on_module = 0;
  const auto navigation = geometry::to_device<double>(HostExecutor(), detector, graph);
  std::map<std::pair<int, int>, int> missing;
  for_each_pair(true_tracks(detector), [&](const TrueHit& from, const TrueHit& to) {
    ++pairs;
    const bool has = graph.has_edge(from.layer, to.layer);
    found += has;
    if (!has) ++missing[{from.layer, to.layer}];
    auto point = from.point;
    const double p = std::sqrt(dot(from.momentum, from.momentum));
    auto direction = 1. / p * from.momentum;
    int layer = from.layer;
    int without_hit_here = 0, holes_here = 0, on_module_here = 0;
    for (int step = 0; step < 4 && layer >= 0; ++step) {
      layer = int(next_of(navigation, layer, point, direction, from.charge / p).layer);
      if (layer == to.layer) {  // else the track has a kink
        ++(step == 0 ? first : later);
        without_hit += without_hit_here;
        holes += holes_here;
        on_module += on_module_here;
        break;
      }
      if (layer < 0) break;
      const auto place = lane_layer(detector, layer).coordinates(point);
      ++without_hit_here;
      if (!navigation.is_hole<double>(std::int64_t(layer), place.first, place.second)) continue;
      ++holes_here;
      on_module_here += passes_module(detector, layer, point, direction, from.charge / p, 0.05);
    }
  });
  std::string text;
  for (const auto& [edge, n] : missing)
    text += " " + std::to_string(edge.first) + "->" + std::to_string(edge.second) + ":" +
            std::to_string(n);
  UNSCOPED_INFO(time.count() << " s, " << edges << " edges, at most " << graph.max_successors()
                             << "; of " << pairs << " pairs " << found << " edges, " << first
                             << " met first, " << later << " later; " << without_hit
                             << " layers without a hit, " << holes << " holes; missing" << text);
  CHECK(graph.max_successors() <= 8);
  CHECK(pairs > 2000);
  CHECK(found > 0.995 * pairs);
  CHECK(first + later > 0.995 * pairs);
  CHECK(on_module == holes);  // the true track passes a module there, which has no hit of it
  CHECK(holes < 0.01 * pairs);
  CHECK(without_hit > 2 * holes);  // the others are gaps and edges
}

TEST_CASE("true hits of TrackML are where modules cover their layers", "[io]") {
  const auto detector = io::read_trackml_detector(test::data_or_skip("trackml/detectors.csv.gz"));
  const auto begin = std::chrono::steady_clock::now();
  const auto grids = find_coverage(detector);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  std::vector<int> dead;
  int hits = 0, none = 0, surely = 0, cells = 0, off = 0;
  for (const auto& grid : grids) cells += int(grid.cells.size());
  for (const auto& track : true_tracks(detector))
    for (const auto& hit : track) {
      // along the track to the surface of the layer, as predictions are
      const auto layer = lane_layer(detector, hit.layer);
      const double p = std::sqrt(dot(hit.momentum, hit.momentum));
      const auto direction = 1. / p * hit.momentum;
      const auto there = layer.surface.path(hit.point, direction, {0., 0., 0.});
      off += !there.reached || std::abs(there.length) > 3.;
      const auto place = layer.coordinates(add_scaled(hit.point, there.length, direction));
      const auto cover = grids[std::size_t(hit.layer)].at(place.first, place.second);
      ++hits;
      none += cover == Cover::none;
      surely += cover == Cover::surely;
      if (cover == Cover::surely && dead.size() < 20) dead.push_back(hit.module);
    }
  UNSCOPED_INFO(time.count() << " s, " << cells << " cells; of " << hits << " hits " << surely
                             << " surely covered, " << none << " not, " << off << " far off");
  CHECK(hits > 2000);
  CHECK(none <= 0.001 * hits);
  CHECK(surely > 0.7 * hits);
  const auto without = find_coverage(detector, {.dead = dead});
  for (const int module : dead) {
    const auto& centre = detector.modules[std::size_t(module)].frame.centre;
    const int l = detector.modules[std::size_t(module)].layer;
    const auto place = lane_layer(detector, l).coordinates(centre);
    CHECK(without[std::size_t(l)].at(place.first, place.second) != Cover::surely);
  }
}
