// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same tracks on modules, bit by bit, whatever engine, space, lanes, threads and bins.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "building_in_detector.hpp"
#include "support/spaces.hpp"
#include "tracks_hash.hpp"

using namespace trackplex;
using candidates::BestHit;
using candidates::CloneEngine;
using candidates::DetectorSearchParams;
using candidates::Standard;

namespace {

using Host = HostExecutor;

const kalman::UniformField solenoid_of_tracks{test::building_tesla};

/// Dense events with noise, and windows and limits so wide that candidates compete.
const tracks::DetectorEvents& noisy_events() {
  static const auto events = test::generated_events(test::barrels_and_disks(), 2, 60, false,
                                                    {.efficiency = 0.9, .noise_fraction = 0.7});
  return events;
}
const DetectorSearchParams wide{.max_chi2 = 60., .max_holes = 3, .window_sigmas = 8.};

constexpr int host_lanes = test::reference_lanes<test::state_lanes<Host, float>>;

template <class Space>
using Input = test::DetectorBuildingInput<float, Space>;

}  // namespace

TEMPLATE_LIST_TEST_CASE(
    "both engines, any lanes, spaces and teams build the same tracks on modules", "[candidates]",
    test::EnabledSpaces) {
  const auto detector = test::barrels_and_disks();
  constexpr int width = test::state_lanes<TestType, float>;
  const Input<TestType> input(detector, noisy_events(), solenoid_of_tracks);
  const auto expected = test::tracks_hash(Input<Host>(detector, noisy_events(), solenoid_of_tracks)
                                              .build<CloneEngine<4>, host_lanes>(wide));
  for (const int seeds : {1, 3, 32})
    for (const int threads : {0, is_host_space<TestType> ? int(concurrency_of(TestType())) : 32}) {
      CAPTURE(seeds, threads);
      if constexpr (test::all_widths)
        CHECK(test::tracks_hash(input.template build<CloneEngine<4>, 1>(wide, {seeds, threads})) ==
              expected);
      CHECK(test::tracks_hash(
                input.template build<CloneEngine<4>, width>(wide, {seeds, threads})) == expected);
      CHECK(test::tracks_hash(input.template build<Standard<4>, width>(wide, {seeds, threads})) ==
            expected);
    }
}

TEMPLATE_LIST_TEST_CASE("best hit builds the same tracks on modules with any lanes and spaces",
                        "[candidates]", test::EnabledSpaces) {
  const auto detector = test::barrels_and_disks();
  const auto expected = test::tracks_hash(
      Input<Host>(detector, noisy_events(), solenoid_of_tracks).build<BestHit, host_lanes>(wide));
  const Input<TestType> input(detector, noisy_events(), solenoid_of_tracks);
  CHECK(test::tracks_hash(input.template build<BestHit>(wide)) == expected);
  // Nor do they depend on the bins.
  for (const int hits : {1, 30, 4000}) {
    CAPTURE(hits);
    const Input<TestType> other(detector, noisy_events(), solenoid_of_tracks, {{}, hits});
    CHECK(test::tracks_hash(other.template build<BestHit>(wide)) == expected);
  }
}
