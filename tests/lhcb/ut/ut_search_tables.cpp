// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/lhcb/ut/ut_search_tables.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <vector>

using namespace trackplex;
using Space = HostExecutor;

namespace {

/// The ideal UT, and the same far off the middle with first strips that are not 1.
std::vector<lhcb::UtGeometry> geometries() {
  const auto ideal = simulation::ideal_detector().ut;
  auto odd = ideal;
  for (std::size_t s = 0; s < odd.size(); ++s) {
    odd.x[s] -= 600.f;
    odd.first_strip[s] = std::uint32_t(1 + s % 40);
    odd.z_per_strip[s] = 0.01f;
  }
  return {ideal, odd};
}

}  // namespace

TEMPLATE_TEST_CASE("The coarse table leads to the group at each x", "[lhcb]", float, double) {
  using T = TestType;
  using Real = LanesOf<T, 8>;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> anywhere(-1700., 1700.);
  for (const auto& geometry : geometries()) {
    const auto tables = lhcb::ut_search_tables<T>(Space(), geometry);
    const auto groups = lhcb::ut_sector_groups(geometry);
    for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
      const auto begin = groups.left_edge.begin() + groups.layer_offsets[layer];
      const auto end = groups.left_edge.begin() + groups.layer_offsets[layer + 1];
      REQUIRE(tables.layer_offset[layer + 1] == groups.layer_offsets[layer + 1]);
      std::vector<float> places = {-1e30f, -1024.f, 0.f, 1024.f, 1e30f};
      for (int i = 0; i < 1000; ++i) places.push_back(float(anywhere(random)));
      for (auto edge = begin; edge != end; ++edge)
        for (const float x : {std::nextafter(*edge, -1e9f), *edge, std::nextafter(*edge, 1e9f)})
          places.push_back(x);
      while (places.size() % 8 != 0) places.push_back(0.f);
      for (std::size_t first = 0; first < places.size(); first += 8) {
        const Real x = load<Real>(places.data() + first);
        const auto found = tables.groups_before(x, layer, MaskOf<Real>(true));
        for (int i = 0; i < 8; ++i) {
          CAPTURE(layer, places[first + i]);
          const auto expected = std::lower_bound(begin, end, places[first + i]) - begin;
          REQUIRE(extract(found, i) == expected);
          REQUIRE(tables.groups_before(T(places[first + i]), layer, true) == expected);
        }
      }
    }
  }
}

TEST_CASE("The reach of a group holds its strips", "[lhcb]") {
  for (const auto& geometry : geometries()) {
    const auto tables = lhcb::ut_search_tables<double>(Space(), geometry);
    const auto groups = lhcb::ut_sector_groups(geometry);
    double z_low[lhcb::ut_layers], z_high[lhcb::ut_layers];
    std::fill_n(z_low, lhcb::ut_layers, 1e9);
    std::fill_n(z_high, lhcb::ut_layers, -1e9);
    for (int s = 0; s < lhcb::ut_sectors; ++s) {
      const int group = groups.of_sector[s];
      const int layer =
          int(std::upper_bound(groups.layer_offsets.begin(), groups.layer_offsets.end(), group) -
              groups.layer_offsets.begin()) -
          1;
      for (const double strip : {1., 512.75}) {
        const double n = strip - geometry.first_strip[s];
        const double x = double(geometry.x[s]) + n * double(geometry.x_per_strip[s]);
        const double z = double(geometry.z[s]) + n * double(geometry.z_per_strip[s]);
        REQUIRE(tables.x_low(group) <= x + 1e-9);
        REQUIRE(tables.x_high(group) >= x - 1e-9);
        z_low[layer] = std::min(z_low[layer], z);
        z_high[layer] = std::max(z_high[layer], z);
      }
      REQUIRE(tables.max_length >= double(geometry.length[s]));
    }
    for (int layer = 0; layer < lhcb::ut_layers; ++layer)
      CHECK(std::abs(tables.z_spread[layer] - (z_high[layer] - z_low[layer])) < 0.01);
    // and not much more than that
    for (int g = 0; g < groups.size(); ++g) CHECK(tables.x_high(g) - tables.x_low(g) < 110.);
  }
}

TEST_CASE("Search tables of another number of sectors are refused", "[lhcb]") {
  lhcb::UtGeometry geometry = simulation::ideal_detector().ut;
  geometry.first_strip.pop_back();
  CHECK_THROWS_AS(lhcb::ut_search_tables<float>(Space(), geometry), UsageError);
}
