// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of the tracks that a TrackFinder finds: on modules in the map of a displaced solenoid, and
// in a telescope with a magnet.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/detector/collider_finder.hpp>
#include <trackplex/detector/track_finder.hpp>
#include <trackplex/geometry/field_map.hpp>
#include <trackplex/simulation/particle_gun.hpp>
#include <trackplex/simulation/telescope.hpp>

#include "events_in_detector.hpp"

namespace trackplex::test {
namespace {

/// Of all hits, states and chi2, with the bits of T.
template <class T, class Finder>
std::string tracks_hash_of(Finder& find, const hits::HostDetectorHits& hits) {
  Fingerprint hash;
  std::size_t n = 0;
  for (const auto& tracks : find(hits::split(hits))) {
    n += tracks.size();
    hash.add(tracks.first).add(tracks.hits).add(tracks.measurements).add(tracks.pass);
    for (const double chi2 : tracks.chi2) hash.add(T(chi2));
    for (const auto& state : tracks.states) {
      for (const double parameter : state.parameters.elements) hash.add(T(parameter));
      for (const double element : state.covariance.elements) hash.add(T(element));
    }
  }
  CHECK(n > 100);
  return hash.hex();
}

template <class T, class Space, int Width>
std::string finding_hash(const EventsInDetector& of, const detector::TrackFinderParams<>& params,
                         const geometry::LayerGraph& graph) {
  const Space exec;
  using Map = geometry::AxisymmetricFieldMap<T, MemoryOf<Space>>;
  const auto grid =
      geometry::sample_axisymmetric_field({0., 60., 4}, {-100., 100., 9}, [](double r, double z) {
        return std::array{1e-5 * r * z, building_tesla - 1e-5 * z * z};
      });
  const kalman::HelicesInField<geometry::DisplacedField<Map, T>> field{
      {Map(exec, grid, geometry::OutsideOfMap::zero), {{T(0.5), T(-0.25), T(0.)}}}};
  auto find = detector::track_finder<T, Space, Width>(exec, of.detector, graph, field, params);
  return tracks_hash_of<T>(find, of.events.hits);
}

/// Events of a telescope.
struct EventsInTelescope {
  geometry::DetectorDescription detector = with_rounded_frames(simulation::telescope());
  tracks::DetectorEvents events{detector};

  EventsInTelescope() {
    const simulation::DetectorGenerator generator(detector, simulation::telescope_magnet(),
                                                  {.efficiency = 0.95, .noise_fraction = 0.2});
    for (std::uint64_t event = 0; event < 25; ++event)
      generator.add_event(event, simulation::shoot_beam({.min_momentum = 1.}, event), events);
    round_hits(events.hits);
  }
};

template <class T, class Space, int Width>
std::string telescope_hash(const EventsInTelescope& of) {
  using Model = kalman::ForwardTrack;
  geometry::LayerGraph graph;
  for (int plane = 0; plane < 12; ++plane) {
    auto& next = graph.successors.emplace_back();
    for (int i = plane + 1; i < 12 && i <= plane + 2; ++i) next.push_back(i);
  }
  detector::PassParams<Model> first;
  first.seeds = {.layers = {0, 1, 2, 3, 4, 5},
                 .sigma_x_slope = 0.03,
                 .sigma_y_slope = 0.02,
                 .scattering = 4e-4};
  first.building = {.max_holes = 3, .max_half_width = 10.};
  first.shared_hits = {8, 0.6};
  first.selection = {8, 5.};
  auto second = first;  // of the hits that are left
  second.seeds.scattering = 2e-3;
  const detector::TrackFinderParams<Model> params{.passes = {first, second},
                                                  .fit = {.max_chi2 = 15.}};
  auto find = detector::track_finder<T, Space, Width>(Space(), of.detector, graph,
                                                      simulation::telescope_magnet(), params);
  return tracks_hash_of<T>(find, of.events.hits);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Tracks that are found on modules in a map are the same everywhere",
                        "[reproducibility]", EnabledSpaces) {
  const EventsInDetector of;
  const auto graph = geometry::find_layer_graph(of.detector);
  auto params = detector::collider_finder_params(of.detector, graph, {.min_pt = 0.3});
  params.passes.resize(2);
  const auto check = [&]<class T>(T, const std::string& golden) {
    CHECK(finding_hash<T, TestType, 1>(of, params, graph) == golden);
    if constexpr (is_host_space<TestType>)
      CHECK(finding_hash<T, TestType, test::state_lanes<TestType, T>>(of, params, graph) == golden);
  };
  check(0.f, detector_finding_golden.single_precision);
  check(0., detector_finding_golden.double_precision);
}

TEMPLATE_LIST_TEST_CASE("Tracks that are found in a telescope are the same everywhere",
                        "[reproducibility]", EnabledSpaces) {
  const EventsInTelescope of;
  const auto check = [&]<class T>(T, const std::string& golden) {
    CHECK(telescope_hash<T, TestType, 1>(of) == golden);
    if constexpr (is_host_space<TestType>)
      CHECK(telescope_hash<T, TestType, test::state_lanes<TestType, T>>(of) == golden);
  };
  check(0.f, telescope_golden.single_precision);
  check(0., telescope_golden.double_precision);
}

}  // namespace trackplex::test
