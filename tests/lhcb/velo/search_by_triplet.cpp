// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <numbers>
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
std::vector<lhcb::VeloResult> reconstruct(const std::vector<lhcb::VeloEvent>& events,
                                          const lhcb::TripletParams& parameters,
                                          int team_size = 0) {
  auto find_tracks = lhcb::velo_chain<Real, Space, Width>(Space(), parameters, {}, team_size);
  auto results = find_tracks(events);
  for (const auto& result : results) REQUIRE(result.overflow == 0);
  return results;
}

template <class Real, int Width, class Space>
void check_against_reference(const lhcb::TripletParams& parameters, int team_size = 0) {
  CAPTURE(Width, sizeof(Real), team_size);
  const auto events = test::toy_velo_events();
  const auto results = reconstruct<Real, Width, Space>(events, parameters, team_size);
  std::size_t found = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    CAPTURE(events[e].name);
    const auto expected = test::ReferenceSearch<Real>(events[e], parameters).run();
    CHECK(sorted_tracks(results[e].tracks) == expected);
    found += expected.size();
  }
  CHECK(found > 350);  // the events have tracks
}

/// Hits of straight lines near an azimuth, in the modules of the side that they are on.
/// @param tracks of each hit: the number of its line
lhcb::VeloEvent lines_near(double azimuth, std::vector<int>& tracks) {
  struct Hit {
    double x, y, z;
    int track;
  };
  std::array<std::vector<Hit>, lhcb::velo_modules> modules;
  constexpr int lines = 12;
  for (int t = 0; t < lines; ++t) {
    const double slope = 0.08 + 0.008 * ((5 * t) % lines), z0 = -40. + 7. * ((7 * t) % lines);
    const double phi = azimuth + 0.04 * (t - 5.5);
    for (int layer = 0; layer < lhcb::velo_pairs; ++layer) {
      // The side is that of x, which does not depend on z as long as the line is straight
      const int module = 2 * layer + (std::cos(phi) > 0. ? 1 : 0);
      const double z = lhcb::velo_module_z[std::size_t(module)], r = slope * (z - z0);
      if (r < 5. || r > 42.) continue;
      // Off the line from the beam, by up to 10 micrometres
      const double off = 0.01 * ((7 * layer + t) % 3 - 1);
      modules[std::size_t(module)].push_back(
          {r * std::cos(phi) - off * std::sin(phi), r * std::sin(phi) + off * std::cos(phi), z, t});
    }
  }
  lhcb::VeloEvent event;
  event.name = "lines near an azimuth";
  tracks.clear();
  for (std::size_t m = 0; m < modules.size(); ++m) {
    for (const auto& hit : modules[m]) {
      event.x.push_back(hit.x);
      event.y.push_back(hit.y);
      event.z.push_back(hit.z);
      tracks.push_back(hit.track);
    }
    event.module_offsets[m + 1] = std::uint32_t(event.x.size());
  }
  return event;
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
  CHECK(found[1] == all[1]);
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
  const auto results = reconstruct<float, default_lane_width<HostExecutor, float>, HostExecutor>(
      {event}, lhcb::velo_params(lhcb::VeloConstants::y2023));
  REQUIRE(results[0].tracks.size() >= 1);
  CHECK(results[0].tracks[0].size() == 26);
}

TEST_CASE("lines are found whole at every azimuth, the seams of both kinds included", "[seeding]") {
  using enum lhcb::VeloConstants;
  using Space = HostExecutor;
  for (const auto constants : {y2019, y2020, y2023})
    for (const double start : {0., std::numbers::pi / 2.})
      for (const double turn : {0., std::numbers::pi / 7., std::numbers::pi, -3.}) {
        CAPTURE(start, turn);
        std::vector<int> line_of_hit;
        const auto event = lines_near(start + turn + 0.003, line_of_hit);
        Tracks expected(12);
        for (int hit = 0; hit < int(line_of_hit.size()); ++hit)
          expected[std::size_t(line_of_hit[std::size_t(hit)])].push_back(hit);
        std::erase_if(expected, [](const auto& hits) { return hits.size() < 4; });
        REQUIRE(expected.size() > 8);
        auto found = reconstruct<float, default_lane_width<Space, float>, Space>(
            {event}, lhcb::velo_params(constants));
        auto tracks = sorted_tracks(found[0].tracks);
        std::erase_if(tracks, [](const auto& hits) { return hits.size() < 4; });
        for (auto& hits : tracks) std::ranges::sort(hits);
        std::ranges::sort(tracks);
        std::ranges::sort(expected);
        CHECK(tracks == expected);
      }
}
