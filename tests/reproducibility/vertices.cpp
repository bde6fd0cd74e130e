// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>
#include <trackplex/lhcb/velo/velo_params.hpp>

#include "golden_hashes.hpp"
#include "lhcb/scifi_reference.hpp"
#include "lhcb/velo_vertices.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"
#include "velo_ut_chain.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

/// Vertices of generated raw events: filter to the beam, histogram, peaks, fit; by themselves, and
/// in the tracks chain with SciFi hits.

using namespace trackplex;

namespace {

std::vector<lhcb::RawEvent> raw_events() {
  std::vector<lhcb::RawEvent> events;
  for (const auto& event : test::generated_raw_events()) events.push_back(event.raw);
  return events;
}

template <class T, int Width, class Space>
std::string vertices_hash(std::size_t batch, int team_size = 0) {
  const auto events = raw_events();
  Fingerprint hash;
  for (std::size_t first = 0; first < events.size(); first += batch) {
    const auto some = std::span(events).subspan(first, std::min(batch, events.size() - first));
    for (const auto& event : test::velo_vertices<T, Width, Space>(
             test::raw_detector(), some, lhcb::velo_params(lhcb::VeloConstants::y2023), team_size))
      lhcb::add_vertices<T>(hash, event);
  }
  return hash.hex();
}

/// Hashes of the vertices of the tracks chain, and of its results with SciFi hits.
template <class T, int Width, class Space>
std::array<std::string, 2> chain_hashes(std::size_t batch, int team_size = 0) {
  auto detector = test::raw_detector();
  detector.scifi = test::small_scifi();
  auto events = raw_events();
  for (std::size_t e = 0; e < events.size(); ++e)
    events[e].scifi = test::random_scifi_event(*detector.scifi, 5, 40, 20, unsigned(e + 1)).scifi;
  lhcb::TracksParams params;
  params.velo_ut.velo = lhcb::velo_params(lhcb::VeloConstants::y2023);
  auto chain = lhcb::tracks_chain<T, Space, Width>(Space(), detector, params, {}, team_size);
  Fingerprint vertices, all;
  for (std::size_t first = 0; first < events.size(); first += batch)
    for (const auto& result :
         chain(std::span(events).subspan(first, std::min(batch, events.size() - first)))) {
      lhcb::add_vertices<T>(vertices, result.vertices);
      lhcb::add_tracks<T>(all, result.velo_tracks);
      lhcb::add_hits<T>(all, result.scifi_hits);
      lhcb::add_vertices<T>(all, result.vertices);
    }
  return {vertices.hex(), all.hex()};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("results of the tracks chain are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  const auto& vertices = test::vertices_golden;
  const auto& all = test::tracks_chain_golden;
  const std::array<std::string, 2> of_float = {vertices.single_precision, all.single_precision},
                                   of_double = {vertices.double_precision, all.double_precision};
  CHECK(chain_hashes<float, 1, TestType>(7) == of_float);
  CHECK(chain_hashes<double, 1, TestType>(16) == of_double);
  if constexpr (is_host_space<TestType>) {
    CHECK(chain_hashes<float, 8, TestType>(1) == of_float);
    CHECK(chain_hashes<double, 4, TestType>(5) == of_double);
  }
}

TEMPLATE_LIST_TEST_CASE("results of the tracks chain are the same with teams of any size",
                        "[reproducibility][teams]", test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>)
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(chain_hashes<float, 8, TestType>(16, size)[1] ==
            test::tracks_chain_golden.single_precision);
    }
}

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
