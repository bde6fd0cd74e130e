// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>

#include "golden_hashes.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"
#include "velo_events.hpp"

using namespace trackplex;

namespace {

constexpr int n_events = 30;

/// Hash of the tracks and states of the first n events, reconstructed in batches.
template <class Real, int Width, class Space>
std::string tracks_hash(lhcb::VeloConstants constants, int batch, int team_size = 0,
                        int n = n_events) {
  const auto& events = test::generated_velo_events();
  auto find_tracks =
      lhcb::velo_chain<Real, Space, Width>(Space(), lhcb::velo_params(constants), {}, team_size);
  Fingerprint hash;
  for (int first = 0; first < n; first += batch)
    for (const auto& result :
         find_tracks(std::span(events).subspan(first, std::min(batch, n - first))))
      lhcb::add_tracks<Real>(hash, result.tracks);
  return hash.hex();
}

template <class Real, int Width, class Space>
void check_batches(lhcb::VeloConstants constants, const std::string& golden) {
  for (const int batch : {1, 7, n_events}) {
    CAPTURE(sizeof(Real), Width, batch);
    CHECK(tracks_hash<Real, Width, Space>(constants, batch) == golden);
  }
}

template <class Space>
void check_space(lhcb::VeloConstants constants, const test::Golden& golden) {
  test::for_each_width<Space>([&]<int Width>() {
    check_batches<float, Width, Space>(constants, golden.single_precision);
    check_batches<double, Width, Space>(constants, golden.double_precision);
  });
}

}  // namespace

TEST_CASE("generated VELO events are the same everywhere", "[reproducibility]") {
  Fingerprint hash;
  for (const auto& event : test::generated_velo_events()) {
    hash.add(event.module_offsets).add(event.x).add(event.y).add(event.z);
    for (const auto& particle : event.particles) hash.add(particle.p).add(particle.hits);
  }
  CHECK(hash.hex() == test::velo_events_golden);
}

TEMPLATE_LIST_TEST_CASE("VELO tracks are the same everywhere", "[reproducibility]",
                        test::EnabledSpaces) {
  using enum lhcb::VeloConstants;
  check_space<TestType>(y2019, test::velo_tracks_2019_golden);
  check_space<TestType>(y2020, test::velo_tracks_2020_golden);
  check_space<TestType>(y2023, test::velo_tracks_2023_golden);
}

TEMPLATE_LIST_TEST_CASE("VELO tracks are the same with teams of any size",
                        "[reproducibility][teams]", test::EnabledSpaces) {
  const auto hash = [&]<int Width>(std::integral_constant<int, Width>, int size) {
    return tracks_hash<float, Width, TestType>(lhcb::VeloConstants::y2023, 2, size, 2);
  };
  constexpr std::integral_constant<int, 1> scalar;
  constexpr std::integral_constant<int, default_lane_width<TestType, float>> lanes;
  const auto of_one_thread = hash(scalar, 1);
  for (const int size : test::tested_team_sizes<TestType>()) {
    CAPTURE(size);
    CHECK(hash(scalar, size) == of_one_thread);
    CHECK(hash(lanes, size) == of_one_thread);
  }
}
