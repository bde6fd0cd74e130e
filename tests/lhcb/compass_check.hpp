// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <trackplex/lhcb/velo_ut_tracking.hpp>

#include "lhcb/compass_reference.hpp"
#include "lhcb/velo_filter_reference.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

/// Compass against its reference.
namespace trackplex::test {

/// All that was found in a batch of events.
struct Found {
  std::vector<lhcb::VeloHitList> velo_hits;
  std::vector<lhcb::VeloTrackList> velo_tracks;
  std::vector<lhcb::UtHitList> ut_hits;
  std::vector<std::vector<lhcb::UtTrackWindows>> windows;
  std::vector<std::vector<lhcb::UtTrack>> tracks;

  friend bool operator==(const Found&, const Found&) = default;
};

template <class Real>
using DefaultTracking = lhcb::VeloUtTracking<Real, Kokkos::DefaultExecutionSpace>;

template <class Real>
Found reconstruct(DefaultTracking<Real>& tracking, std::span<const lhcb::RawEvent> batch) {
  tracking.load(batch);
  tracking.reconstruct();
  return {tracking.velo_hits(), tracking.velo_tracks(), tracking.ut_hits(), tracking.ut_windows(),
          tracking.ut_tracks()};
}

template <class Real>
Found reconstruct(const lhcb::Detector& detector, const lhcb::CompassParameters& parameters,
                  std::span<const lhcb::RawEvent> batch) {
  DefaultTracking<Real> tracking({}, detector, {.velo = {}, .end_of_velo = {}, .ut = parameters});
  return reconstruct(tracking, batch);
}

/// The states that Compass begins with.
inline std::vector<CompassState> states_of(const Found& found, std::size_t e, bool end_of_velo) {
  std::vector<CompassState> states;
  const auto& tracks = found.velo_tracks[e];
  const auto& hits = found.velo_hits[e];
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto& s = tracks.states[t];
    states.push_back({s.x, s.y, s.z, s.tx, s.ty, s.backward});
    if (!end_of_velo) continue;
    std::vector<FilterHit> on_track;
    for (const auto h : tracks[t]) on_track.push_back({hits.x[h], hits.y[h], hits.z[h]});
    const auto end = filtered_end_state(on_track, s.tx, s.ty, {});
    states.back() = {end.x, end.y, lhcb::velo_end_z, end.tx, end.ty, s.backward};
  }
  return states;
}

inline bool close(double a, double b) { return std::abs(a - b) <= 1e-7 * (1e-3 + std::abs(b)); }

inline bool same_ut_track(const lhcb::UtTrack& a, const lhcb::UtTrack& b) {
  return a.velo_track == b.velo_track && a.hits == b.hits &&
         std::abs(a.qop - b.qop) <= 1e-7 * std::abs(b.qop) + 1e-13 &&
         std::abs(a.chi2 - b.chi2) <= 1e-6 * (1. + b.chi2) && close(a.x, b.x) &&
         close(a.slope, b.slope);
}

struct CompassTotals {
  std::size_t windows = 0, hits = 0, tracks = 0, three_hits = 0;
};

/// Compares windows and tracks with the reference, one by one.
inline CompassTotals compare_compass(const lhcb::Detector& detector,
                                     const lhcb::CompassParameters& parameters,
                                     std::span<const lhcb::RawEvent> batch) {
  const Found found = reconstruct<double>(detector, parameters, batch);
  const CompassReference reference(detector, parameters);
  CompassTotals totals;
  for (std::size_t e = 0; e < batch.size(); ++e) {
    CAPTURE(e);
    const auto expected =
        reference(found.ut_hits[e], states_of(found, e, parameters.end_of_velo_states));
    REQUIRE(found.windows[e].size() == expected.windows.size());
    for (std::size_t t = 0; t < expected.windows.size(); ++t) {
      CAPTURE(t);
      REQUIRE(found.windows[e][t] == expected.windows[t]);
      ++totals.windows;
      for (const auto& layer : expected.windows[t].layers)
        for (const auto& window : layer) totals.hits += window.size;
    }
    REQUIRE(found.tracks[e].size() == expected.tracks.size());
    for (std::size_t t = 0; t < expected.tracks.size(); ++t) {
      CAPTURE(t);
      REQUIRE(same_ut_track(found.tracks[e][t], expected.tracks[t]));
      ++totals.tracks;
      totals.three_hits += std::ranges::count(expected.tracks[t].hits, -1);
    }
  }
  return totals;
}

}  // namespace trackplex::test
