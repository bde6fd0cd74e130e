// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/tracks_chain.hpp>

#include "golden_hashes.hpp"
#include "lhcb/scifi/forward_events.hpp"
#include "lhcb/scifi/long_track_events.hpp"
#include "lhcb/scifi/matched_tracks.hpp"
#include "support/spaces.hpp"
#include "support/team_sizes.hpp"
#include "velo_ut_chain.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

/// Long tracks of small events with noise, with and without hits in the UT, and by matching of
/// tracks in the SciFi; and those of the tracks chain in raw events, with the vertices of generated
/// ones.

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

/// Tracks in the SciFi, in the hits that a search with tight cuts leaves, and long tracks of their
/// matching.
template <class T, int Width, class Space>
std::string matched_tracks_hash(std::size_t batch, int team_size = 0) {
  const auto all = events();
  test::MatchingParams params;
  params.forward.max_quality = 0.02;
  params.polarity = 1.;
  params.team_size = team_size;
  Fingerprint hash;
  for (std::size_t first = 0; first < all.size(); first += batch) {
    const std::vector<test::ForwardEvent> some(
        all.begin() + std::ptrdiff_t(first),
        all.begin() + std::ptrdiff_t(std::min(first + batch, all.size())));
    const auto found = test::match_on<T, Width, Space>(some, params);
    for (std::size_t e = 0; e < some.size(); ++e) {
      hash.add(std::uint64_t(found.scifi[e].size()));
      for (const auto& track : found.scifi[e]) {
        hash.add(track.length).add(track.hits).add(T(track.quality));
        hash.add(T(track.x)).add(T(track.y)).add(T(track.tx)).add(T(track.ty));
      }
      hash.add(std::uint64_t(found.long_tracks[e].size()));
      for (const auto& track : found.long_tracks[e])
        hash.add(track.velo_track).add(track.ut_track).add(track.hits).add(T(track.qop));
    }
  }
  return hash.hex();
}

/// Raw events, and their detector, with hits of the UT tracks in the SciFi.
struct RawSample {
  lhcb::Detector detector = test::raw_detector();
  std::vector<lhcb::RawEvent> events;

  RawSample() {
    detector.scifi = test::nominal_scifi();
    for (const auto& event : test::generated_raw_events()) events.push_back(event.raw);
    test::add_long_tracks(events, detector);
  }
};

template <class T, int Width, class Space>
std::string chain_hash(std::size_t batch, int team_size = 0,
                       lhcb::LongTrackMethod method = lhcb::LongTrackMethod::forward) {
  static const RawSample sample;
  lhcb::TracksParams params;
  params.long_tracks.without_ut = method == lhcb::LongTrackMethod::forward;
  params.long_tracks.min_hits = 12;  // leaves some for the search without the UT
  params.method = method;
  auto chain = lhcb::tracks_chain<T, Space, Width>(Space(), sample.detector, params, {}, team_size);
  Fingerprint hash;
  const std::span all(sample.events);
  for (std::size_t first = 0; first < all.size(); first += batch)
    for (const auto& result : chain(all.subspan(first, std::min(batch, all.size() - first)))) {
      lhcb::add_hits<T>(hash, result.scifi_hits);
      lhcb::add_tracks<T>(hash, result.long_tracks);
    }
  return hash.hex();
}

/// Long tracks and vertices of generated events, for a magnet of either polarity.
template <class T, int Width, class Space>
std::string generated_hash(std::size_t batch, int team_size = 0) {
  Fingerprint hash;
  for (const float polarity : {-1.f, 1.f}) {
    std::vector<lhcb::RawEvent> events;
    for (const auto& event : test::generated_scifi_events(polarity)) events.push_back(event.raw);
    auto chain = lhcb::tracks_chain<T, Space, Width>(Space(), test::raw_scifi_detector(polarity),
                                                     {}, {}, team_size);
    const std::span all(events);
    for (std::size_t first = 0; first < all.size(); first += batch)
      for (const auto& result : chain(all.subspan(first, std::min(batch, all.size() - first)))) {
        lhcb::add_hits<T>(hash, result.scifi_hits);
        lhcb::add_tracks<T>(hash, result.long_tracks);
        lhcb::add_vertices<T>(hash, result.vertices);
      }
  }
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("tracks of generated events are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  const auto& golden = test::generated_tracks_golden;
  CHECK(generated_hash<float, 1, TestType>(3) == golden.single_precision);
  CHECK(generated_hash<double, 1, TestType>(8) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(generated_hash<float, 8, TestType>(1) == golden.single_precision);
    CHECK(generated_hash<double, 4, TestType>(5) == golden.double_precision);
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(generated_hash<float, 8, TestType>(8, size) == golden.single_precision);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("long tracks of raw events are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  const auto& golden = test::raw_long_tracks_golden;
  CHECK(chain_hash<float, 1, TestType>(7) == golden.single_precision);
  CHECK(chain_hash<double, 1, TestType>(16) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(chain_hash<float, 8, TestType>(1) == golden.single_precision);
    CHECK(chain_hash<double, 4, TestType>(5) == golden.double_precision);
  }
}

TEMPLATE_LIST_TEST_CASE("long tracks of raw events are the same with teams of any size",
                        "[reproducibility][teams]", test::EnabledSpaces) {
  if constexpr (is_host_space<TestType>)
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(chain_hash<float, 8, TestType>(16, size) ==
            test::raw_long_tracks_golden.single_precision);
    }
}

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

TEMPLATE_LIST_TEST_CASE("matched tracks are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  const auto& golden = test::matched_tracks_golden;
  CHECK(matched_tracks_hash<float, 1, TestType>(1) == golden.single_precision);
  CHECK(matched_tracks_hash<double, 1, TestType>(4) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(matched_tracks_hash<float, 8, TestType>(3) == golden.single_precision);
    CHECK(matched_tracks_hash<float, 16, TestType>(4) == golden.single_precision);
    CHECK(matched_tracks_hash<double, 4, TestType>(1) == golden.double_precision);
    for (const int size : test::tested_team_sizes<TestType>()) {
      CAPTURE(size);
      CHECK(matched_tracks_hash<float, 1, TestType>(4, size) == golden.single_precision);
      CHECK(matched_tracks_hash<float, 8, TestType>(4, size) == golden.single_precision);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("matched tracks of raw events are the same in all spaces and at all widths",
                        "[reproducibility]", test::EnabledSpaces) {
  using enum lhcb::LongTrackMethod;
  const auto& golden = test::raw_matched_tracks_golden;
  CHECK(chain_hash<float, 1, TestType>(7, 0, both) == golden.single_precision);
  CHECK(chain_hash<double, 1, TestType>(16, 0, both) == golden.double_precision);
  if constexpr (is_host_space<TestType>) {
    CHECK(chain_hash<float, 8, TestType>(1, 0, both) == golden.single_precision);
    CHECK(chain_hash<double, 4, TestType>(5, 0, both) == golden.double_precision);
  }
}
