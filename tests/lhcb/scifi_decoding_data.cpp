// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "lhcb/decoded_scifi_events.hpp"
#include "support/lhcb_files.hpp"

using namespace trackplex;

namespace {

std::vector<lhcb::RawEvent> real_events(int version) {
  std::vector<lhcb::RawEvent> events;
  for (const auto& name : test::lhcb_event_names()) {
    events.push_back(test::lhcb_scifi_event(name));
    events.back().scifi.version = version;
  }
  return events;
}

/// Numbers of hits, of ids of the truth, and of those among the hits.
struct Counts {
  std::size_t hits = 0, truth = 0, found = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

template <class Real>
Counts count(const test::DecodedScifiEvents<Real>& decoded,
             const std::vector<lhcb::RawEvent>& events) {
  Counts counts;
  for (std::size_t e = 0; e < events.size(); ++e) {
    std::set<std::uint32_t> found, truth;
    const auto hits = decoded.event(e).hits;
    for (const auto& hit : hits) found.insert(hit.id);
    for (const auto& particle : test::lhcb_mc_event(events[e].name).particles)
      truth.insert(particle.scifi_ids.begin(), particle.scifi_ids.end());
    counts.hits += hits.size();
    counts.truth += truth.size();
    for (const auto id : truth) counts.found += found.count(id);
  }
  return counts;
}

}  // namespace

TEST_CASE("The ten raw events have the SciFi hits of their truth", "[lhcb][data]") {
  using Space = HostExecutor;
  const auto geometry = test::lhcb_scifi_geometry();
  const auto events = real_events(5);
  const auto in_double =
      test::decode_scifi_on<default_lane_width<Space, double>, double, Space>(geometry, events);
  const auto in_float =
      test::decode_scifi_on<default_lane_width<Space, float>, float, Space>(geometry, events);
  CHECK(count(in_double, events) == Counts{38599, 34276, 34276});
  std::array<int, lhcb::scifi_max_size + 1> sizes{};
  for (std::size_t e = 0; e < events.size(); ++e) {
    INFO(events[e].name);
    const auto expected = test::decoded_scifi(geometry, events[e]);
    const auto hits = in_double.event(e);
    const auto hits32 = in_float.event(e);
    CHECK(hits.invalid == 0);
    REQUIRE(hits.hits.size() == expected.hits.size());
    REQUIRE(hits32.hits.size() == expected.hits.size());
    std::set<std::uint32_t> ids;
    bool same = true;
    for (std::size_t i = 0; i < hits.hits.size(); ++i) {
      const auto &a = hits.hits[i], &b = expected.hits[i];
      same = same && a.id == b.id && a.zone == b.zone && a.size == b.size &&
             std::abs(a.x - b.x) < 1e-9 && std::abs(a.z - b.z) < 1e-9 &&
             std::abs(a.y_begin - b.y_begin) < 1e-9 && std::abs(a.y_end - b.y_end) < 1e-9;
      same = same && hits32.hits[i].id == a.id;  // both precisions give the same order
      ids.insert(a.id);
      ++sizes[std::size_t(a.size)];
    }
    CHECK(same);
    CHECK(ids.size() == hits.hits.size());
  }
  CHECK(sizes == std::array{2780, 0, 0, 0, 31176, 2458, 1173, 612, 400});
}

TEST_CASE("The SciFi banks of other versions have other hits", "[lhcb][data]") {
  const auto geometry = test::lhcb_scifi_geometry();
  const auto counts = [&](int version) {
    const auto events = real_events(version);
    return count(test::decode_scifi_on<1, float, HostExecutor>(geometry, events), events);
  };
  CHECK(counts(4) == Counts{42428, 34276, 27836});
  CHECK(counts(6) == Counts{39582, 34276, 32913});
}

TEST_CASE("The SciFi hits of a raw event are those of the reference", "[lhcb][data]") {
  const auto geometry = test::lhcb_scifi_geometry();
  const auto events = real_events(5);
  const auto hits = test::decode_scifi_on<1, double, HostExecutor>(geometry, events).event(0).hits;
  const auto check = [&](std::uint32_t channel, int layer, double x, int size) {
    const auto hit = std::find_if(hits.begin(), hits.end(),
                                  [&](const auto& h) { return h.id == (0xAu << 28 | channel); });
    REQUIRE(hit != hits.end());
    CHECK(hit->zone / 2 == layer);
    CHECK(std::abs(hit->x - x) < 6e-4);
    CHECK(hit->size == size);
    return *hit;
  };
  check(262170, 0, -519.610, 4);
  CHECK(std::abs(check(262224, 0, -505.890, 6).z - 7826.099) < 6e-4);
  const auto stereo = check(589955, 5, -37.4937, 4);
  CHECK(std::abs(stereo.z - 8577.8995) < 6e-4);
  CHECK(std::abs(stereo.y_begin + 2436.0) < 0.06);
  CHECK(std::abs(stereo.y_end + 112.9) < 0.06);
  check(802875, 8, 18.6400, 4);
}
