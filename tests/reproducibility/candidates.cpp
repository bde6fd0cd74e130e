// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of the tracks that are built from generated events: hits, chi2 and states.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/candidates/resolve_ambiguities.hpp>
#include <trackplex/core/host_executor.hpp>

#include "candidates/dense_events.hpp"
#include "golden_hashes.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"

namespace trackplex::test {

TEMPLATE_LIST_TEST_CASE("Built tracks are the same everywhere", "[reproducibility]",
                        EnabledSpaces) {
  using Space = TestType;
  using candidates::BestHit;
  using candidates::CloneEngine;
  using candidates::Standard;
  const auto params = dense_building_params();
  const auto events = simulation::generate_cylinder_events(Space(), dense_event_params(), 20, 3);
  {
    constexpr int width = test::state_lanes<Space, float>;
    const BuildingInput<float, Space> input(events);
    CHECK(tracks_hash(input.template build<BestHit, width>(params)) ==
          best_hit_tracks_golden.single_precision);
    for (const int seeds : {1, 32}) {
      CAPTURE(seeds);
      CHECK(tracks_hash(input.template build<CloneEngine<6>, width>(params, {seeds})) ==
            combinatorial_tracks_golden.single_precision);
    }
    // Of the tracks that share hits, the better ones
    const auto found = input.template build<BestHit, width>(params);
    tracks::KeptTracks<float, MemoryOf<Space>> kept;
    using ResolveAmbiguities = candidates::ResolveAmbiguities<float, Space>;
    typename ResolveAmbiguities::Scratch scratch;
    run_algorithm(input.exec, ResolveAmbiguities{}, input.hits, found, kept, scratch);
    CHECK(kept.tracks.size() < found.size());
    CHECK(tracks_hash(kept.tracks) == tracks_without_shared_hits_golden);
    // The other engine on one space only: it takes long to compile, and so does double precision.
    if constexpr (std::is_same_v<Space, HostExecutor>) {
      CHECK(tracks_hash(input.template build<Standard<6>, width>(params)) ==
            combinatorial_tracks_golden.single_precision);
      CHECK(tracks_hash(input.template build<CloneEngine<candidates::heap_pays_from>, 1>(params)) ==
            many_candidates_golden);
      CHECK(tracks_hash(input.template build<BestHit, 16>(params)) ==
            best_hit_tracks_golden.single_precision);
    }
  }
  constexpr int width = is_host_space<Space> ? 4 : 1;
  const BuildingInput<double, Space> input(events);
  CHECK(tracks_hash(input.template build<BestHit, width>(params)) ==
        best_hit_tracks_golden.double_precision);
  if constexpr (std::is_same_v<Space, HostExecutor> || !is_host_space<Space>)
    CHECK(tracks_hash(input.template build<CloneEngine<6>, width>(params)) ==
          combinatorial_tracks_golden.double_precision);
}

TEMPLATE_LIST_TEST_CASE("Built tracks are the same with teams of any size",
                        "[reproducibility][teams]", EnabledSpaces) {
  // On one space only: it takes long to compile.
  if constexpr (std::is_same_v<TestType, HostExecutor>) {
    auto params = dense_event_params();
    params.tracks = 100;  // barriers take long where threads share cores
    const auto events = simulation::generate_cylinder_events(TestType(), params, 1, 3);
    const BuildingInput<float, TestType> input(events);
    const auto hash = [&]<int Candidates, int Width>(int size) {
      return tracks_hash(input.template build<candidates::CloneEngine<Candidates>, Width>(
          dense_building_params(), {.seeds = 32, .threads = size}));
    };
    constexpr int many = candidates::heap_pays_from;
    constexpr int width = test::state_lanes<TestType, float>;
    const auto few_of_one = hash.template operator()<6, width>(1);
    const auto many_of_one = hash.template operator()<many, 1>(1);
    for (const int size : tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(hash.template operator()<6, width>(size) == few_of_one);
      CHECK(hash.template operator()<many, 1>(size) == many_of_one);
    }
  }
}

}  // namespace trackplex::test
