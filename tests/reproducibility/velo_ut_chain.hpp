// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <trackplex/lhcb/fingerprints.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>
#include <trackplex/simulation/ideal_detector.hpp>
#include <trackplex/simulation/raw_event_generator.hpp>

#include "golden_hashes.hpp"
#include "support/spaces.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <vector>

/// The whole chain from raw banks to UT tracks, on generated events.
namespace trackplex::test {

inline constexpr int n_raw_events = 16;

inline const lhcb::Detector& raw_detector() {
  static const auto detector = simulation::ideal_detector();
  return detector;
}

inline const std::vector<simulation::GeneratedRawEvent>& generated_raw_events() {
  static const auto events = [] {
    const simulation::RawEventGenerator generate(raw_detector(), {}, 2024);
    std::vector<simulation::GeneratedRawEvent> result;
    for (int i = 0; i < n_raw_events; ++i) result.push_back(generate(std::uint64_t(i)));
    return result;
  }();
  return events;
}

/// The same detector with a SciFi, and a magnet of this polarity.
inline lhcb::Detector raw_scifi_detector(float polarity) {
  auto detector = raw_detector();
  detector.scifi = simulation::ideal_scifi();
  detector.polarity = polarity;
  return detector;
}

inline std::vector<simulation::GeneratedRawEvent> generated_scifi_events(float polarity) {
  const simulation::RawEventGenerator generate(raw_scifi_detector(polarity), {}, 2025);
  std::vector<simulation::GeneratedRawEvent> events;
  for (int i = 0; i < n_raw_events / 2; ++i) events.push_back(generate(std::uint64_t(i)));
  return events;
}

inline lhcb::VeloUtParams velo_ut_parameters_2020() {
  return {.velo = lhcb::velo_params(lhcb::VeloConstants::y2020),
          .end_of_velo = {},
          .ut = lhcb::compass_params(lhcb::CompassConstants::y2020)};
}

/// Hashes of the hits, and of all that is made of them.
struct VeloUtHashes {
  Fingerprint hits, tracks;
};

template <class Real>
void add_reals(Fingerprint& hash, std::span<const double> values) {
  hash.add(std::uint64_t(values.size()));
  for (const double value : values) hash.add(Real(value));
}

template <class Real>
void add(Fingerprint& hash, const lhcb::VeloHitList& list) {
  for (const auto* values : {&list.x, &list.y, &list.z}) add_reals<Real>(hash, *values);
  hash.add(list.modules).add(list.ids).add(list.invalid);
}

template <class Real>
void add(Fingerprint& hash, const lhcb::UtHitList& list) {
  for (const auto* values : {&list.y_begin, &list.y_end, &list.x, &list.z})
    add_reals<Real>(hash, *values);
  hash.add(list.ids).add(list.layer_offsets).add(list.unmapped);
}

inline void add(Fingerprint& hash, std::span<const lhcb::UtTrackWindows> list) {
  hash.add(std::uint64_t(list.size()));
  for (const auto& windows : list) {
    hash.add(windows.velo_track);
    for (const auto& layer : windows.layers)
      for (const auto& window : layer) hash.add(window.first).add(window.size);
  }
}

template <class Real>
void add(Fingerprint& hash, std::span<const lhcb::UtTrack> list) {
  hash.add(std::uint64_t(list.size()));
  for (const auto& track : list) {
    hash.add(track.velo_track).add(track.hits);
    for (const double value : {track.qop, track.chi2, track.x, track.slope}) hash.add(Real(value));
  }
}

/// Hashes of the first n events, reconstructed in batches.
template <class Real, int Width, class Space>
std::pair<std::string, std::string> velo_ut_hashes(const lhcb::VeloUtParams& params, int batch,
                                                   int team_size = 0, int n = n_raw_events) {
  std::vector<lhcb::RawEvent> events;
  for (const auto& event : generated_raw_events()) events.push_back(event.raw);
  auto find_tracks =
      lhcb::velo_ut_chain<Real, Space, Width>(Space(), raw_detector(), params, {}, team_size);
  VeloUtHashes hashes;
  for (int first = 0; first < n; first += batch)
    for (const auto& event :
         find_tracks(std::span(events).subspan(first, std::min(batch, n - first)))) {
      add<Real>(hashes.hits, event.velo_hits);
      add<Real>(hashes.hits, event.ut_hits);
      lhcb::add_tracks<Real>(hashes.tracks, event.velo_tracks);
      add(hashes.tracks, event.windows);
      add<Real>(hashes.tracks, event.ut_tracks);
    }
  return {hashes.hits.hex(), hashes.tracks.hex()};
}

/// Golden hashes of a precision.
struct VeloUtGolden {
  std::string hits, tracks_2020, tracks;
};

template <class Real>
VeloUtGolden velo_ut_golden() {
  const auto of = [](const Golden& golden) {
    return sizeof(Real) == 4 ? golden.single_precision : golden.double_precision;
  };
  return {of(velo_ut_hits_golden), of(velo_ut_tracks_2020_golden), of(velo_ut_tracks_golden)};
}

/// With both sets of constants.
template <class Real, class Space, int Width>
void check_velo_ut(int batch) {
  CAPTURE(sizeof(Real), Width, batch);
  const auto golden = velo_ut_golden<Real>();
  const auto check = [&](const lhcb::VeloUtParams& parameters, const std::string& tracks) {
    const auto found = velo_ut_hashes<Real, Width, Space>(parameters, batch);
    CHECK(found.first == golden.hits);
    CHECK(found.second == tracks);
  };
  check(velo_ut_parameters_2020(), golden.tracks_2020);
  check({}, golden.tracks);
}

/// In batches of all sizes.
template <class Real, class Space, int Width>
void check_velo_ut() {
  for (const int batch : {1, 7, n_raw_events}) check_velo_ut<Real, Space, Width>(batch);
}

using FirstSpace = std::tuple_element_t<0, trackplex::EnabledSpaces>;

}  // namespace trackplex::test
