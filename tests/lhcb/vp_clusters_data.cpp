// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>

#include "support/data.hpp"
#include "support/spaces.hpp"
#include "vp_clusters_check.hpp"

using namespace trackplex;

namespace {

/// The ids of the VELO clusters of all particles. A particle has 72 bytes and three lists of ids,
/// VELO, UT and SciFi, each behind its length.
std::set<std::uint32_t> truth_ids(const std::filesystem::path& path) {
  const auto bytes = test::file_bytes(path);
  std::size_t at = 0;
  const auto next = [&] {
    std::uint32_t word;
    REQUIRE(at + 4 <= bytes.size());
    std::memcpy(&word, bytes.data() + at, 4);
    at += 4;
    return word;
  };
  std::set<std::uint32_t> ids;
  for (auto particles = next(); particles > 0; --particles) {
    at += 72;
    for (auto n = next(); n > 0; --n) ids.insert(next());
    for (int others = 0; others < 2; ++others) at += 4 * next();
  }
  REQUIRE(at == bytes.size());
  return ids;
}

struct Data {
  std::vector<lhcb::RawEvent> events;
  std::vector<std::set<std::uint32_t>> truth;
  lhcb::VeloPixelGeometry geometry;
};

Data data_of_ten_events() {
  const auto folder = test::data_or_skip("lhcb-raw");
  Data data;
  data.geometry = test::read_velo_geometry(folder / "geometry/velo_geometry.bin");
  for (int e = 6001; e <= 6010; ++e) {
    const std::string name = "6718861_" + std::to_string(e) + ".bin";
    auto& event = data.events.emplace_back();
    event.name = name;
    event.vp = test::read_vp_banks(folder / "banks/VP" / name);
    data.truth.push_back(truth_ids(folder / "MC_info/tracks" / name));
  }
  return data;
}

template <class Real, int Width, class Space>
void check_events(const Data& data, double tolerance, int team_size = 0) {
  CAPTURE(sizeof(Real), Width, team_size);
  const auto found = test::find_clusters<Real, Width, Space>(data.events, data.geometry, team_size);
  for (int e = 0; e < int(data.events.size()); ++e) {
    CAPTURE(e);
    const auto expected = test::reference_clusters(data.events[e].vp, data.geometry);
    test::require_same_clusters(found, e, expected, tolerance);
    REQUIRE(found.invalid(e) == 0);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("clusters of simulated events are those of the truth", "[lhcb][data]",
                        test::EnabledSpaces) {
  const auto data = data_of_ten_events();
  const auto found = test::find_clusters<float, 1, TestType>(data.events, data.geometry);
  int total = 0;
  for (int e = 0; e < int(data.events.size()); ++e) {
    const auto* const ids = found.ids.data() + found.hits.event_offsets(e);
    const int n = int(found.hits.event_sizes(e));
    REQUIRE(std::set(ids, ids + n) == data.truth[e]);
    REQUIRE(int(data.truth[e].size()) == n);
    total += n;
  }
  CHECK(total == 20085);
}

TEMPLATE_LIST_TEST_CASE("clusters of simulated events are those of a plain search", "[lhcb][data]",
                        test::EnabledSpaces) {
  const auto data = data_of_ten_events();
  check_events<float, 1, TestType>(data, 1e-4);
  check_events<double, 1, TestType>(data, 1e-12);
  if constexpr (is_host_space<TestType>) {
    check_events<float, 8, TestType>(data, 1e-4);
    check_events<double, 4, TestType>(data, 1e-12);
  }
}
