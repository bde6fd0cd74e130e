// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of the tracks that a TrackFinder finds on modules in the map of a displaced solenoid.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/detector/collider_finder.hpp>
#include <trackplex/detector/track_finder.hpp>
#include <trackplex/geometry/field_map.hpp>

#include "events_in_detector.hpp"

namespace trackplex::test {
namespace {

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
  detector::TrackFinder<T, Space, std::remove_const_t<decltype(field)>, candidates::CloneEngine<4>,
                        Width>
      find(exec, of.detector, graph, field, params);
  Fingerprint hash;
  std::size_t n = 0;
  for (const auto& tracks : find(of.events.hits)) {
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
      CHECK(finding_hash<T, TestType, default_lane_width<TestType, T>>(of, params, graph) ==
            golden);
  };
  check(0.f, detector_finding_golden.single_precision);
  check(0., detector_finding_golden.double_precision);
}

}  // namespace trackplex::test
