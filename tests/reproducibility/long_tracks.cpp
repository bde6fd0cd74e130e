// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>

#include "golden_hashes.hpp"
#include "lhcb/scifi/forward_events.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"

#include <algorithm>
#include <string>
#include <vector>

/// Long tracks of small events with noise, with and without hits in the UT.

using namespace trackplex;

namespace {

std::vector<test::ForwardEvent> events() {
  const auto magnet = lhcb::forward_magnet<double>(HostExecutor(), lhcb::forward_tables());
  std::vector<test::ForwardEvent> all;
  for (const unsigned seed : {11u, 12u}) all.push_back(test::forward_event(magnet, 30, 150, seed));
  all.push_back(test::forward_event(magnet, 0, 10, 13));
  all.push_back(test::forward_event(magnet, 90, 50, 14));
  const auto twin = all.back().tracks[40];
  for (int i = 0; i < 3; ++i) all.back().tracks.push_back(twin);
  return all;
}

template <class T, int Width, class Space>
std::string long_tracks_hash(std::size_t batch, int team_size = 0) {
  const auto all = events();
  lhcb::ForwardParams params;
  params.without_ut = true;
  Fingerprint hash;
  for (std::size_t first = 0; first < all.size(); first += batch) {
    const std::vector<test::ForwardEvent> some(
        all.begin() + std::ptrdiff_t(first),
        all.begin() + std::ptrdiff_t(std::min(first + batch, all.size())));
    for (const auto& event :
         test::find_long_tracks_on<T, Width, Space>(some, params, 1., team_size)) {
      hash.add(std::uint64_t(event.size()));
      for (const auto& track : event) {
        hash.add(track.velo_track).add(track.ut_track).add(track.length).add(track.hits);
        hash.add(T(track.qop)).add(T(track.quality));
        hash.add(T(track.x)).add(T(track.y)).add(T(track.tx)).add(T(track.ty));
      }
    }
  }
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("long tracks are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  const auto& golden = test::long_tracks_golden;
  CHECK(long_tracks_hash<float, 1, TestType>(1) == golden.single_precision);
  CHECK(long_tracks_hash<double, 1, TestType>(4) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(long_tracks_hash<float, 8, TestType>(3) == golden.single_precision);
    CHECK(long_tracks_hash<float, 16, TestType>(4) == golden.single_precision);
    CHECK(long_tracks_hash<double, 4, TestType>(1) == golden.double_precision);
  }
}

TEMPLATE_LIST_TEST_CASE("long tracks are the same with teams of any size",
                        "[reproducibility][teams]", test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>)
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(long_tracks_hash<float, 1, TestType>(4, size) ==
            test::long_tracks_golden.single_precision);
      CHECK(long_tracks_hash<float, 8, TestType>(4, size) ==
            test::long_tracks_golden.single_precision);
    }
}
