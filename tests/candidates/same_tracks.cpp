// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same tracks, bit by bit, whatever engine, space, lanes, threads and shares of work.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "dense_events.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using candidates::BestHit;
using candidates::BuildTracksParams;
using candidates::CloneEngine;
using candidates::Standard;
using candidates::TeamShape;
using test::BuildingInput;

namespace {

using HostSpace = HostExecutor;

const tracks::TrackingEvents& two_dense_events() {
  static const auto events = test::with_twins(
      simulation::generate_cylinder_events(HostSpace(), test::dense_event_params(), 7, 2));
  return events;
}

template <class Strategy, int Width, class T, class Space>
void check_shapes(const BuildingInput<T, Space>& input, const BuildTracksParams& params,
                  const std::string& expected) {
  for (const int seeds : {1, 3, 8, 32, 100}) {
    for (const int threads : {0, is_host_space<Space> ? int(Space().concurrency()) : 32}) {
      CAPTURE(Width, seeds, threads);
      CHECK(test::tracks_hash(input.template build<Strategy, Width>(params, {seeds, threads})) ==
            expected);
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("both engines, any lanes, spaces and teams build the same tracks",
                        "[candidates]", test::EnabledSpaces) {
  const auto params = test::dense_building_params();
  const BuildingInput<float, HostSpace> host_input(two_dense_events());
  const auto expected = test::tracks_hash(host_input.build<CloneEngine<6>>(params));
  const BuildingInput<float, TestType> input(two_dense_events());
  check_shapes<CloneEngine<6>, 1>(input, params, expected);
  check_shapes<Standard<6>, 1>(input, params, expected);
  if constexpr (is_host_space<TestType>) {
    check_shapes<CloneEngine<6>, 8>(input, params, expected);
    check_shapes<Standard<6>, 8>(input, params, expected);
  }
}

#if defined(TRACKPLEX_TEST_WIDTHS)
TEST_CASE("one lane keeps many candidates in a heap, and builds the tracks of many lanes",
          "[candidates]") {
  const auto params = test::dense_building_params();
  const BuildingInput<float, HostSpace> input(two_dense_events());
  CHECK(test::tracks_hash(input.build<CloneEngine<candidates::heap_pays_from>, 1>(params)) ==
        test::tracks_hash(input.build<CloneEngine<candidates::heap_pays_from>>(params)));
}
#endif

TEMPLATE_LIST_TEST_CASE("best hit builds the same tracks with any lanes and spaces", "[candidates]",
                        test::EnabledSpaces) {
  const auto params = test::dense_building_params();
  const BuildingInput<float, HostSpace> host_input(two_dense_events());
  const auto expected = test::tracks_hash(host_input.build<BestHit>(params));
  const BuildingInput<float, TestType> input(two_dense_events());
  CHECK(test::tracks_hash(input.template build<BestHit>(params)) == expected);
  if constexpr (test::all_widths)
    CHECK(test::tracks_hash(input.template build<BestHit, 1>(params)) == expected);
}

TEST_CASE("tracks do not depend on the bins of the hits", "[candidates]") {
  // No twins: which of them is taken is a matter of the order of places.
  const auto events =
      simulation::generate_cylinder_events(HostSpace(), test::dense_event_params(), 3, 2);
  const auto params = test::dense_building_params();
  const auto expected =
      test::tracks_hash(BuildingInput<float, HostSpace>(events).build<CloneEngine<6>>(params));
  for (const int bins : {1, 2, 37, 1024}) {
    CAPTURE(bins);
    const BuildingInput<float, HostSpace> input(events, test::dense_event_params(), bins);
    CHECK(test::tracks_hash(input.build<CloneEngine<6>>(params)) == expected);
  }
}

TEST_CASE("tracks of a seed do not depend on other seeds", "[candidates]") {
  const auto params = test::dense_building_params();
  const BuildingInput<float, HostSpace> input(two_dense_events());
  const auto all = input.build<CloneEngine<6>>(params);
  for (const auto& [first, n] : {std::pair{0, 1}, {400, 1}, {17, 9}, {300, 33}}) {
    CAPTURE(first, n);
    auto fewer = input;
    fewer.seeds = {};
    fewer.seeds.allocate(input.exec, n, test::seed_layers);
    input.exec.fence();
    for (int seed = 0; seed < n; ++seed) {
      fewer.seeds.states.view().store_anywhere(
          Tile<float>{seed, 1},
          input.seeds.states.const_view().load_anywhere(Tile<float>{first + seed, 1}));
      fewer.seeds.hits.event(std::size_t(seed)) = all.hits.event(std::size_t(first + seed));
      for (int layer = 0; layer < test::seed_layers; ++layer)
        fewer.seeds.hits(seed, layer) = all.hits(first + seed, layer);
    }
    const auto found = fewer.build<CloneEngine<6>>(params);
    REQUIRE(found.size() == n);
    for (int seed = 0; seed < n; ++seed) {
      for (int layer = 0; layer < all.hits.layers; ++layer)
        REQUIRE(found.hits(seed, layer) == all.hits(first + seed, layer));
      REQUIRE(found.chi2(std::size_t(seed)) == all.chi2(std::size_t(first + seed)));
    }
  }
}

TEST_CASE("building without seeds, or without layers after them", "[candidates]") {
  const auto params = test::dense_building_params();
  const BuildingInput<float, HostSpace> none(tracks::TrackingEvents(10));
  CHECK(none.build<BestHit>(params).size() == 0);
  CHECK(none.build<CloneEngine<6>>(params).size() == 0);

  // Three layers, all of them the seeds'
  auto short_params = test::dense_event_params();
  short_params.particles.layers = test::seed_layers;
  const BuildingInput<float, HostSpace> input(
      simulation::generate_cylinder_events(HostSpace(), short_params, 0, 2), short_params);
  const auto check = [&](const auto& found) {
    REQUIRE(found.size() == input.seeds.size());
    REQUIRE(found.size() > 100);
    const auto seeds = input.seeds.states.const_view();
    const auto states = found.states.const_view();
    for (int seed = 0; seed < found.size(); ++seed) {
      for (int layer = 0; layer < test::seed_layers; ++layer)
        REQUIRE(found.hits(seed, layer) == input.seeds.hits(seed, layer));
      REQUIRE(found.found(std::size_t(seed)) == 0);
      REQUIRE(found.chi2(std::size_t(seed)) == 0.f);
      for (int e = 0; e < 6; ++e)
        REQUIRE(states.parameters.element(seed, e) == seeds.parameters.element(seed, e));
    }
  };
  check(input.build<BestHit>(params));
  check(input.build<CloneEngine<6>>(params));
  check(input.build<Standard<6>>(params));
}

TEST_CASE("seeds, hits and detectors that do not belong together are refused", "[candidates]") {
  const auto params = test::dense_building_params();
  const auto events =
      simulation::generate_cylinder_events(HostSpace(), test::dense_event_params(), 0, 1);
  BuildingInput<float, HostSpace> input(events);
  CHECK_THROWS_AS((input.build<CloneEngine<6>>(params, {0, 0})), UsageError);
  input.detector.size = 9;
  CHECK_THROWS_AS((input.build<CloneEngine<6>>(params)), UsageError);
  CHECK_THROWS_AS((input.build<BestHit>(params)), UsageError);
  input.detector.size = 10;
  input.seeds.hits.layers = 11;
  CHECK_THROWS_AS((input.build<BestHit>(params)), UsageError);
  input.seeds.hits.layers = test::seed_layers;
  CHECK_NOTHROW(input.build<BestHit>(params));
  input.detector.size = tracks::max_layers + 1;
  CHECK_THROWS_AS((input.build<BestHit>(params)), CapacityError);
  input.detector.size = input.binned.layers = tracks::max_layers;
  tracks::FoundTracks<float, MemoryOf<HostSpace>> found;
  const candidates::BuildTracks<BestHit, float, HostSpace> build{input.detector,
                                                                 test::building_field, params};
  CHECK_NOTHROW(
      build.allocate(GrowingMemory<HostSpace>{input.exec}, input.seeds, input.binned, found));
  input.detector.size = input.binned.layers = 10;
  auto other = params;
  other.material.thickness = -0.1;
  CHECK_THROWS_AS((input.build<BestHit>(other)), UsageError);
  other.material.thickness = 0.1;
  input.seeds.hits.layers = 0;
  CHECK_THROWS_AS((input.build<BestHit>(other)), UsageError);
  input.seeds.hits.layers = test::seed_layers;
  input.seeds.states.parameters.set_size(input.seeds.size() - 1);
  CHECK_THROWS_AS((input.build<BestHit>(params)), UsageError);
}

TEST_CASE("building before the hits are in their bins, or into nothing, is refused",
          "[candidates]") {
  using Catch::Matchers::ContainsSubstring;
  const auto events =
      simulation::generate_cylinder_events(HostSpace(), test::dense_event_params(), 0, 1);
  BuildingInput<float, HostSpace> input(events);
  const auto check = [&](const auto& build) {
    std::decay_t<decltype(build)> algorithm = build;
    tracks::FoundTracks<float, MemoryOf<HostSpace>> found;
    BuildingInput<float, HostSpace>::Binned binned;
    CHECK_THROWS_AS(algorithm(input.exec, input.seeds, binned, found), UsageError);
    // Allocated for the hits, as in a chain that forgets to put them in
    const search::BinHits<float, HostSpace> bin_hits{
        {input.exec, 200, input.axes(input.detector.size)}};
    search::BinHits<float, HostSpace>::Scratch scratch;
    const GrowingMemory<HostSpace> memory{input.exec};
    bin_hits.allocate(memory, input.hits, binned, scratch);
    algorithm.allocate(memory, input.seeds, binned, found);
    CHECK_THROWS_WITH(
        algorithm(input.exec, input.seeds, binned, found),
        ContainsSubstring("there are no hits in bins") && ContainsSubstring("run bin_hits before"));
    bin_hits(input.exec, input.hits, binned, scratch);
    CHECK_NOTHROW(algorithm(input.exec, input.seeds, binned, found));
    // The bins of an earlier batch are none of these hits
    bin_hits.allocate(memory, input.hits, binned, scratch);
    CHECK_THROWS_AS(algorithm(input.exec, input.seeds, binned, found), UsageError);
    tracks::FoundTracks<float, MemoryOf<HostSpace>> nothing;
    CHECK_THROWS_AS(algorithm(input.exec, input.seeds, input.binned, nothing), UsageError);
    found.hits.layers = input.detector.size - 1;
    CHECK_THROWS_AS(algorithm(input.exec, input.seeds, input.binned, found), UsageError);
    input.exec.fence();
  };
  const auto params = test::dense_building_params();
  check(candidates::BuildTracks<BestHit, float, HostSpace>{input.detector, test::building_field,
                                                           params});
  check(candidates::BuildTracks<CloneEngine<6>, float, HostSpace>{input.detector,
                                                                  test::building_field, params});
}

TEST_CASE("seeds whose states, hits and detector do not belong together are not fitted",
          "[candidates]") {
  const auto events =
      simulation::generate_cylinder_events(HostSpace(), test::dense_event_params(), 0, 1);
  const BuildingInput<float, HostSpace> input(events);
  seeding::StartSeeds<float, MemoryOf<HostSpace>> start;
  seeding::truth_seeds(input.exec, events, test::seed_layers, start);
  const auto fit = [&](const tracks::CylinderLayers& detector, auto seeds) {
    seeding::Seeds<float, MemoryOf<HostSpace>> fitted;
    run_algorithm(input.exec, seeding::FitSeeds<float, HostSpace>{detector, test::building_field},
                  input.hits, seeds, fitted);
    input.exec.fence();
  };
  CHECK_NOTHROW(fit(input.detector, start));
  auto wrong = start;
  wrong.states.parameters.set_size(start.size() - 1);
  CHECK_THROWS_AS(fit(input.detector, wrong), UsageError);
  wrong = start;
  wrong.hits.set_size(start.size() - 1, test::seed_layers);  // one state more than tracks with hits
  CHECK_THROWS_AS(fit(input.detector, wrong), UsageError);
  auto detector = input.detector;
  detector.size = test::seed_layers - 1;
  CHECK_THROWS_AS(fit(detector, start), UsageError);
  wrong = start;
  wrong.hits.layers = 11;
  CHECK_THROWS_AS(fit(input.detector, wrong), UsageError);
}
