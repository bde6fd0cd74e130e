// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include "golden_hashes.hpp"
#include "lhcb/velo_vertices.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"
#include "velo_ut_chain.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

/// Vertices of generated raw events: filter to the beam, histogram, peaks, fit.

using namespace trackplex;

namespace {

template <class T, int Width, class Space>
std::string vertices_hash(std::size_t batch, int team_size = 0) {
  std::vector<lhcb::RawEvent> events;
  for (const auto& event : test::generated_raw_events()) events.push_back(event.raw);
  Fingerprint hash;
  for (std::size_t first = 0; first < events.size(); first += batch) {
    const auto some = std::span(events).subspan(first, std::min(batch, events.size() - first));
    for (const auto& event : test::velo_vertices<T, Width, Space>(
             test::raw_detector(), some, lhcb::velo_params(lhcb::VeloConstants::y2023),
             team_size)) {
      hash.add(std::uint64_t(event.size()));
      for (const auto& vertex : event) {
        for (const double value : vertex.position) hash.add(T(value));
        for (const double value : vertex.covariance) hash.add(T(value));
        hash.add(T(vertex.weight)).add(vertex.tracks);
      }
    }
  }
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("vertices are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  const auto& golden = test::vertices_golden;
  CHECK(vertices_hash<float, 1, TestType>(5) == golden.single_precision);
  CHECK(vertices_hash<double, 1, TestType>(16) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(vertices_hash<float, 8, TestType>(16) == golden.single_precision);
    CHECK(vertices_hash<float, 16, TestType>(1) == golden.single_precision);
    CHECK(vertices_hash<double, 4, TestType>(16) == golden.double_precision);
  }
}

TEMPLATE_LIST_TEST_CASE("vertices are the same with teams of any size", "[reproducibility][teams]",
                        test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>)
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(vertices_hash<float, 1, TestType>(16, size) == test::vertices_golden.single_precision);
      CHECK(vertices_hash<float, 8, TestType>(16, size) == test::vertices_golden.single_precision);
    }
}
