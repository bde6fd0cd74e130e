// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "lhcb/decoded_ut_events.hpp"
#include "support/lhcb_files.hpp"

using namespace trackplex;

namespace {

test::SmallUt real_ut() {
  test::SmallUt ut{test::lhcb_ut_boards(), test::lhcb_ut_geometry(), {}};
  ut.groups = lhcb::ut_sector_groups(ut.geometry);
  return ut;
}

std::vector<lhcb::RawEvent> real_events() {
  std::vector<lhcb::RawEvent> events;
  for (const auto& name : test::lhcb_event_names()) events.push_back(test::lhcb_ut_event(name));
  return events;
}

}  // namespace

TEST_CASE("The ten raw events have the UT hits of their truth", "[lhcb][data]") {
  using Space = HostExecutor;
  const auto ut = real_ut();
  CHECK(ut.groups.layer_offsets == std::array{0, 20, 40, 62, 84});
  const auto events = real_events();
  const auto in_float = test::decode_on<default_lane_width<Space, float>, float, Space>(ut, events);
  const auto in_double =
      test::decode_on<default_lane_width<Space, double>, double, Space>(ut, events);
  CHECK(in_float.hits.n_hits == 12868);
  std::size_t with_truth = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    INFO(events[e].name);
    const auto hits = in_double.event(e);
    CHECK(hits.unmapped == 0);
    CHECK(hits.hits == test::decoded_ut<double>(ut, events[e]).hits);
    const auto hits32 = in_float.event(e);
    CHECK(hits32.hits == test::decoded_ut<float>(ut, events[e]).hits);
    // both precisions give the hits the same order
    REQUIRE(hits32.hits.size() == hits.hits.size());
    bool same_order = true;
    for (std::size_t i = 0; i < hits.hits.size(); ++i)
      same_order = same_order && hits.hits[i].id == hits32.hits[i].id;
    CHECK(same_order);

    std::set<std::uint32_t> found, truth;
    for (const auto& hit : hits.hits) found.insert(hit.id);
    for (const auto& particle : test::lhcb_mc_event(events[e].name).particles)
      truth.insert(particle.ut_ids.begin(), particle.ut_ids.end());
    CHECK(found.size() == hits.hits.size());
    CHECK(std::includes(found.begin(), found.end(), truth.begin(), truth.end()));
    with_truth += truth.size();
  }
  CHECK(with_truth == 12212);  // the others are noise
}

TEST_CASE("The UT hits of a raw event are those of the reference", "[lhcb][data]") {
  const auto ut = real_ut();
  const auto events = real_events();
  const auto hits = test::decode_on<1, double, HostExecutor>(ut, events).event(0).hits;
  REQUIRE(hits.size() == 2108);
  using Hit = test::UtReferenceHit<double>;
  constexpr double weight = 332.40998064156, inner_weight = 1329.63992256624;  // mm^-2
  CHECK(hits[0] == Hit{0, -481.0, -383.7200012207031, -722.9150103628635, 2334.717529296875, weight,
                       0xb12a0cfb});
  CHECK(hits[700] == Hit{28, 289.09300371352583, 386.00282427016646, -29.341654613614082,
                         2365.282470703125, weight, 0xb1349563});
  CHECK(hits[1200] == Hit{49, 87.22450226545334, 184.13432282209396, -90.89839267730713,
                          2590.282470703125, inner_weight, 0xb14c8841});
}
