// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Track building against an independent implementation.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "dense_events.hpp"
#include "reference_builder.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using candidates::BestHit;
using candidates::BuildTracksParams;
using candidates::CloneEngine;
using candidates::Standard;
using test::BuildingInput;

namespace {

using HostSpace = HostExecutor;

const tracks::TrackingEvents& dense_events() {
  static const auto events = test::with_twins(
      simulation::generate_cylinder_events(HostSpace(), test::dense_event_params(), 0, 3));
  return events;
}

/// The layers of an event as the reference builder takes them; hits in the order of their bins.
template <class T>
test::ReferenceLayers<T> reference_layers(const search::BinnedHits<T, Kokkos::HostSpace>& binned,
                                          const hits::LayerHits<T, MemoryOf<HostSpace>>& hits,
                                          int event) {
  test::ReferenceLayers<T> layers(std::size_t(hits.layers));
  for (int layer = 0; layer < hits.layers; ++layer) {
    const int first = hits.first(event, layer), end = hits.first(event, layer + 1);
    for (int place = first; place < end; ++place) {
      const auto from = std::size_t(first + binned.index(std::size_t(place)));
      test::ReferenceHit<T> hit{
          hits.x(from), hits.y(from), hits.z(from), {}, binned.index(std::size_t(place))};
      for (std::size_t e = 0; e < 6; ++e) hit.covariance[e] = hits.covariance(from, e);
      layers[std::size_t(layer)].push_back(hit);
    }
  }
  return layers;
}

/// What the reference builder makes of the seeds. `Candidates` 0 is best hit.
template <class T>
struct Reference {
  std::vector<test::ReferenceTrack<T>> tracks;
  typename test::ReferenceBuilder<T, kalman::UniformField>::Counts counts;

  Reference(const BuildingInput<T, HostSpace>& input, const BuildTracksParams& params,
            int max_candidates) {
    std::vector<double> radii(input.detector.radius.data(),
                              input.detector.radius.data() + input.detector.size);
    test::ReferenceBuilder<T, kalman::UniformField> builder(radii, input.seeds.hits.layers,
                                                            test::building_field, params);
    std::vector<test::ReferenceLayers<T>> events;
    for (int event = 0; event < input.hits.events; ++event)
      events.push_back(reference_layers(input.binned, input.hits, event));
    const auto states = input.seeds.states.const_view();
    for (int seed = 0; seed < input.seeds.size(); ++seed) {
      const auto state = states.load_anywhere(Tile<T>{seed, 1});
      const auto& layers = events[std::size_t(input.seeds.hits.event(std::size_t(seed)))];
      tracks.push_back(max_candidates == 0 ? builder.best_hit(state, layers)
                                           : builder.combinatorial(state, layers, max_candidates));
    }
    counts = builder.counts();
  }
};

template <class T, class MemorySpace>
void check_tracks(const tracks::FoundTracks<T, MemorySpace>& found,
                  const BuildingInput<T, HostSpace>& input, const Reference<T>& reference) {
  const int n = input.seeds.size();
  REQUIRE(found.size() == n);
  const auto index = test::host_copy(found.hits.index);
  const auto event = test::host_copy(found.hits.event);
  const auto chi2 = test::host_copy(found.chi2);
  const auto hits = test::host_copy(found.found);
  const typename MemorySpace::execution_space exec;
  const auto parameters = to_host(exec, found.states.parameters);
  const auto covariance = to_host(exec, found.states.covariance);
  for (int track = 0; track < n; ++track) {
    CAPTURE(track);
    const auto at = std::size_t(track);
    const auto& expected = reference.tracks[at];
    const auto hit = [&](int layer) {
      return index(std::size_t(layer * found.hits.stride() + track));
    };
    std::vector<int> after_seed;
    for (int layer = 0; layer < found.hits.layers; ++layer) {
      if (layer < input.seeds.hits.layers)
        REQUIRE(hit(layer) == input.seeds.hits(track, layer));
      else
        after_seed.push_back(hit(layer));
    }
    REQUIRE(event(at) == input.seeds.hits.event(at));
    REQUIRE(after_seed == expected.hits);
    REQUIRE(hits(at) == expected.found);
    // The operations and their order are the same: so are all bits.
    REQUIRE(chi2(at) == expected.chi2);
    for (int e = 0; e < 6; ++e)
      REQUIRE(parameters.view().element(track, e) == expected.state.parameters.elements[e]);
    for (int e = 0; e < 21; ++e)
      REQUIRE(covariance.view().element(track, e) == expected.state.covariance.elements[e]);
  }
}

template <class Strategy, class T = float>
void check_strategy(int max_candidates, const BuildTracksParams& params) {
  const BuildingInput<T, HostSpace> input(dense_events());
  const Reference<T> reference(input, params, max_candidates);
  check_tracks(input.template build<Strategy, test::state_lanes<HostSpace, T>>(params), input,
               reference);
}

}  // namespace

TEST_CASE("the events of the tests have all that building has rules for", "[candidates]") {
  const BuildingInput<float, HostSpace> input(dense_events());
  CHECK(input.seeds.size() > 600);
  const auto counts = Reference<float>(input, test::dense_building_params(), 6).counts;
  const auto& [children, several, holes, stopped, not_reached, dropped, copied_back, ties,
               in_material, stopped_is_best] = counts;
  CHECK(in_material == 0);
  CHECK(stopped_is_best == 0);
  CAPTURE(children, several, holes, stopped, not_reached, dropped, copied_back, ties);
  CHECK(children > 10 * input.seeds.size());
  CHECK(several > 2 * input.seeds.size());
  CHECK(holes > 1000);
  CHECK(stopped > 1000);
  CHECK(not_reached > 100);
  CHECK(dropped > 1000);
  CHECK(copied_back > 100);
  CHECK(ties > 1000);
}

TEST_CASE("best hit builds the tracks of the reference", "[candidates]") {
  check_strategy<BestHit>(0, test::dense_building_params());
  check_strategy<BestHit, double>(0, test::dense_building_params());
}

TEST_CASE("the clone engine builds the tracks of the reference", "[candidates]") {
  auto params = test::dense_building_params();
  check_strategy<CloneEngine<6>>(6, params);
  check_strategy<CloneEngine<3>>(3, params);
  check_strategy<CloneEngine<1>>(1, params);
  params.max_holes = 0;
  check_strategy<CloneEngine<6>>(6, params);
  params.max_holes = 7;
  check_strategy<CloneEngine<6>>(6, params);
  params.max_chi2 = 4.;
  check_strategy<CloneEngine<6>>(6, params);
  params = {};  // windows that are too narrow for these events
  check_strategy<CloneEngine<6>>(6, params);
}

TEST_CASE("the standard engine builds the tracks of the reference", "[candidates]") {
  auto params = test::dense_building_params();
  check_strategy<Standard<6>>(6, params);
  params.max_holes = 0;
  check_strategy<Standard<6>>(6, params);
}

TEST_CASE("a hit whose chi2 is negative, or not below the limit, is not compatible",
          "[candidates]") {
  kalman::TrackState<double> state{{{8., 0., 1., 0.5, 0., 1.2}}, {}, 1.};
  search::BinnedHit<double> hit{8., 0.1, 1.1, 0., {1e-4, 0., 1e-4, 0., 0., 1e-2}};
  for (int i = 0; i < 6; ++i) state.covariance(i, i) = 1.;
  CHECK(candidates::hit_chi2(state, hit, 15.).updated);
  CHECK_FALSE(candidates::hit_chi2(state, hit, 1e-3).updated);
  const double chi2 = candidates::hit_chi2(state, hit, 15.).chi2;
  CHECK_FALSE(candidates::hit_chi2(state, hit, chi2).updated);
  CHECK(candidates::hit_chi2(state, hit, std::nextafter(chi2, 15.)).updated);
  // As rounding can leave a covariance
  for (int i = 0; i < 6; ++i) state.covariance(i, i) = -1.;
  const auto negative = candidates::hit_chi2(state, hit, 15.);
  REQUIRE(negative.chi2 < 0.);
  CHECK_FALSE(negative.updated);
}

TEST_CASE("through material, the tracks are those of the reference, and others than without",
          "[candidates]") {
  auto params = test::dense_building_params();
  const BuildingInput<float, HostSpace> input(dense_events());
  const auto without = test::tracks_hash(input.build<CloneEngine<6>>(params));
  params.material.thickness = 1.;
  params.mass =
      0.5;  // heavy ones of low momentum stop in it, some after more hits than others find
  const auto counts = Reference<float>(input, params, 6).counts;
  CHECK(counts.in_material > 100);
  CHECK(counts.stopped_is_best > 0);
  CHECK(test::tracks_hash(input.build<CloneEngine<6>>(params)) != without);
  check_strategy<BestHit>(0, params);
  check_strategy<CloneEngine<6>>(6, params);
  check_strategy<Standard<6>>(6, params);
}
