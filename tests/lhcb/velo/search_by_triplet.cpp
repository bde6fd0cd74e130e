// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>

#include "reference_search.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"
#include "support/toy_events.hpp"

using namespace trackplex;
using Tracks = std::vector<std::vector<int>>;

namespace {

Tracks sorted_tracks(const lhcb::VeloTrackList& list) {
  Tracks tracks;
  for (std::size_t i = 0; i < list.size(); ++i) tracks.emplace_back(list[i].begin(), list[i].end());
  std::sort(tracks.begin(), tracks.end());
  return tracks;
}

template <class Real, int Width, class Space>
std::vector<lhcb::VeloTrackList> reconstruct(const std::vector<lhcb::VeloEvent>& events,
                                             const lhcb::TripletParams& parameters,
                                             int team_size = 0) {
  auto find_tracks = lhcb::velo_chain<Real, Space, Width>(Space(), parameters, {}, team_size);
  std::vector<lhcb::VeloTrackList> lists;
  for (auto& result : find_tracks(events)) {
    REQUIRE(result.overflow == 0);
    lists.push_back(std::move(result.tracks));
  }
  return lists;
}

template <class Real, int Width, class Space>
void check_against_reference(const lhcb::TripletParams& parameters, int team_size = 0) {
  CAPTURE(Width, sizeof(Real), team_size);
  const auto events = test::toy_velo_events();
  const auto lists = reconstruct<Real, Width, Space>(events, parameters, team_size);
  std::size_t found = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    CAPTURE(events[e].name);
    const auto expected = test::ReferenceSearch<Real>(events[e], parameters).run();
    CHECK(sorted_tracks(lists[e]) == expected);
    found += expected.size();
  }
  CHECK(found > 350);  // the events have tracks
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("tracks equal those of the plain algorithm", "[seeding]",
                        test::EnabledSpaces) {
  using enum lhcb::VeloConstants;
  const auto constants = GENERATE(y2019, y2020, y2023);
  const auto parameters = lhcb::velo_params(constants);
  constexpr int lanes = default_lane_width<TestType, float>;
  check_against_reference<float, lanes, TestType>(parameters);
  check_against_reference<double, default_lane_width<TestType, double>, TestType>(parameters);
  if constexpr (is_host_space<TestType>) {
    // A host team of several threads goes the way of a device.
    check_against_reference<float, lanes, TestType>(parameters, int(TestType().concurrency()));
  }
  if constexpr (test::all_widths) {
    check_against_reference<float, 1, TestType>(parameters);
    check_against_reference<double, 1, TestType>(parameters);
    check_against_reference<float, 1, TestType>(parameters, int(TestType().concurrency()));
  }
}

TEMPLATE_LIST_TEST_CASE("tracks without a slot are counted and nothing else changes", "[seeding]",
                        test::EnabledSpaces) {
  auto parameters = lhcb::velo_params(lhcb::VeloConstants::y2023);
  const auto events = std::vector{test::toy_velo_event(400, 400, 3), test::toy_velo_event(5, 5, 4)};
  const auto all =
      reconstruct<float, default_lane_width<TestType, float>, TestType>(events, parameters);

  parameters.hits_per_slot = 100;
  const auto found = lhcb::velo_chain<float>(TestType(), parameters)(events);
  CHECK(found[0].overflow > 0);
  CHECK(found[0].tracks.size() <= events[0].size() / 100 + 1 + lhcb::min_slots);
  CHECK(found[1].overflow == 0);
  CHECK(found[1].tracks == all[1]);
}

TEST_CASE("a track longer than 26 hits ends at 26", "[seeding]") {
  // One hit in every module, both sides: a layer gives one hit, so 26 layers give 26.
  lhcb::VeloEvent event;
  event.name = "one long track";
  for (int m = 0; m < lhcb::velo_modules; ++m) {
    const double z = lhcb::velo_module_z[m];
    event.x.push_back(8. + 0.02 * z);
    event.y.push_back(3. + 0.01 * z);
    event.z.push_back(z);
    event.module_offsets[m + 1] = unsigned(m + 1);
  }
  const auto lists = reconstruct<float, default_lane_width<HostExecutor, float>, HostExecutor>(
      {event}, lhcb::velo_params(lhcb::VeloConstants::y2023));
  REQUIRE(lists[0].size() >= 1);
  CHECK(lists[0][0].size() == 26);
}
