// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>

#include "lhcb/decoded_scifi_events.hpp"
#include "support/spaces.hpp"

using namespace trackplex;

namespace {

std::vector<lhcb::RawEvent> random_events(const lhcb::ScifiGeometry& geometry, int version) {
  std::vector<lhcb::RawEvent> events;
  unsigned seed = 1;
  for (const auto& [banks, words] :
       {std::pair(0, 0), {1, 1}, {40, 3}, {0, 0}, {200, 7}, {240, 30}, {3, 600}, {0, 0}})
    events.push_back(test::random_scifi_event(geometry, version, banks, words, seed++));
  events.push_back(test::random_scifi_event(geometry, version, 30, 60, seed, true));
  return events;
}

/// Whether hits are those of the reference but for rounding, and sorted.
template <class Real>
void check_event(const test::ScifiReferenceEvent<Real>& found,
                 const test::ScifiReferenceEvent<double>& expected) {
  const auto tolerance = sizeof(Real) == 4 ? 2e-3 : 1e-9;  // mm
  CHECK(found.invalid == expected.invalid);
  REQUIRE(found.hits.size() == expected.hits.size());
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    const auto& hit = found.hits[i];
    const auto& right = expected.hits[i];
    const auto near = [&](Real a, double b) { return std::abs(double(a) - b) < tolerance; };
    const bool same = hit.zone == right.zone && hit.id == right.id && hit.size == right.size;
    const bool close = near(hit.x, right.x) && near(hit.z, right.z) &&
                       near(hit.y_begin, right.y_begin) && near(hit.y_end, right.y_end);
    INFO("hit " << i << ": " << hit.zone << " " << hit.x << " " << std::hex << hit.id << ", not "
                << right.zone << " " << right.x << " " << right.id);
    REQUIRE(close);
    // neighbours in overlapping mats may change places in single precision
    REQUIRE((same || (sizeof(Real) == 4 && i > 0)));
    REQUIRE(std::abs(double(hit.weight) * std::pow(0.05 + 0.03 * hit.size, 2) - 1.) < 1e-6);
    if (i > 0 && found.hits[i - 1].zone == hit.zone) REQUIRE(found.hits[i - 1].x <= hit.x);
  }
}

template <int Width, class Real, class Space>
void check_random_events(int version, int team_size = 0) {
  for (const bool overlapping : {false, true}) {
    const auto geometry = test::small_scifi(version >= lhcb::scifi_link_version, overlapping);
    const auto events = random_events(geometry, version);
    const auto decoded = test::decode_scifi_on<Width, Real, Space>(geometry, events, team_size);
    for (std::size_t e = 0; e < events.size(); ++e) {
      CAPTURE(Width, sizeof(Real), version, team_size, overlapping, e);
      const auto expected = test::decoded_scifi(geometry, events[e]);
      if (e == 5) CHECK(expected.hits.size() > 1000);
      check_event(decoded.event(e), expected);
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("SciFi banks of all versions are decoded to sorted hits", "[lhcb]",
                        test::EnabledSpaces) {
  for (const int version : {4, 5, 6, 7, 8}) {
    check_random_events<1, float, TestType>(version);
    check_random_events<1, double, TestType>(version);
  }
  if constexpr (is_host_space<TestType>) {
    check_random_events<4, double, TestType>(5);
    check_random_events<8, float, TestType>(5);
    const int threads = int(TestType().concurrency());
    check_random_events<1, float, TestType>(5, threads);
    check_random_events<8, float, TestType>(8, threads);
    check_random_events<4, double, TestType>(6, threads);
  } else {
    check_random_events<1, float, TestType>(5, 32);
    check_random_events<1, double, TestType>(8, 256);
  }
}

TEST_CASE("Clusters of the SciFi are where their channels are", "[lhcb]") {
  // of one bank: narrow ones, widths 5 to 8, and one that is too wide
  const std::vector<test::ScifiCluster> clusters = {{0, 3, 3, 1}, {0, 60, 63, 0}, {1, 0, 4},
                                                    {1, 20, 25},  {2, 63, 69},    {3, 100, 107},
                                                    {5, 30, 51}};
  for (const int version : {4, 5, 6, 7, 8}) {
    CAPTURE(version);
    const auto geometry = test::small_scifi(version >= lhcb::scifi_link_version);
    std::vector<lhcb::RawEvent> events(1);
    events[0].scifi.version = version;
    const std::size_t bank = 17;
    const auto source = geometry.has_links() ? geometry.sources[bank] : std::uint32_t(bank);
    events[0].scifi.push_back(std::uint16_t(source),
                              test::scifi_payload(test::scifi_words(clusters, version)));
    const auto found = test::decode_scifi_on<1, double, HostExecutor>(geometry, events).event(0);
    CHECK(found.invalid == 0);
    const auto sipm_of = [&](int link) {
      return geometry.has_links()
                 ? geometry.sipms[bank * lhcb::scifi_bank_links + std::size_t(link)]
                 : geometry.first_channel[bank] + std::uint32_t(128 * link);
    };
    for (const auto& c : clusters) {
      CAPTURE(c.link, c.first, c.last);
      const auto sipm = sipm_of(c.link);
      const auto count = std::count_if(found.hits.begin(), found.hits.end(), [&](const auto& hit) {
        const auto channel = (hit.id & 0xfffffffu) - sipm;
        return channel >= std::uint32_t(c.first) && channel <= std::uint32_t(c.last);
      });
      const int width = c.last - c.first + 1;
      if (width > 8 || (width > 4 && (version == 4 || version == 7))) {
        CHECK(count >= width / 4);  // pieces
        continue;
      }
      REQUIRE(count == 1);
      const auto hit = std::find_if(found.hits.begin(), found.hits.end(), [&](const auto& h) {
        return (h.id & 0xfffffffu) == sipm + std::uint32_t(c.first + (width - 1) / 2);
      });
      REQUIRE(hit != found.hits.end());
      CHECK(hit->size == (width > 4 ? width : 4));
      if (width <= 4) continue;
      // in the middle between the outermost channels
      const double x = 0.5 * (test::scifi_hit(geometry, sipm + std::uint32_t(c.first), 0, 4).x +
                              test::scifi_hit(geometry, sipm + std::uint32_t(c.last), 0, 4).x);
      CHECK(std::abs(hit->x - x) < (c.first < 64 && c.last >= 64 ? 0.12 : 1e-6));
    }
  }
}
