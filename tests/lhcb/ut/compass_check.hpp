// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <trackplex/lhcb/velo_ut_chain.hpp>

#include "compass_reference.hpp"
#include "lhcb/velo/velo_filter_reference.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

/// Compass against its reference.
namespace trackplex::test {

using Found = std::vector<lhcb::VeloUtResult>;

template <class T>
auto compass_chain(const lhcb::Detector& detector, const lhcb::CompassParams& params) {
  return lhcb::velo_ut_chain<T>(Kokkos::DefaultExecutionSpace(), detector,
                                {.velo = {}, .end_of_velo = {}, .ut = params});
}

template <class T>
Found reconstruct(const lhcb::Detector& detector, const lhcb::CompassParams& params,
                  std::span<const lhcb::RawEvent> batch) {
  return compass_chain<T>(detector, params)(batch);
}

/// The states that Compass begins with.
inline std::vector<CompassState> states_of(const lhcb::VeloUtResult& found, bool end_of_velo) {
  std::vector<CompassState> states;
  const auto& tracks = found.velo_tracks;
  const auto& hits = found.velo_hits;
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
                                     const lhcb::CompassParams& parameters,
                                     std::span<const lhcb::RawEvent> batch) {
  const Found found = reconstruct<double>(detector, parameters, batch);
  const CompassReference reference(detector, parameters);
  CompassTotals totals;
  for (std::size_t e = 0; e < batch.size(); ++e) {
    CAPTURE(e);
    const auto expected =
        reference(found[e].ut_hits, states_of(found[e], parameters.end_of_velo_states));
    REQUIRE(found[e].windows.size() == expected.windows.size());
    for (std::size_t t = 0; t < expected.windows.size(); ++t) {
      CAPTURE(t);
      REQUIRE(found[e].windows[t] == expected.windows[t]);
      ++totals.windows;
      for (const auto& layer : expected.windows[t].layers)
        for (const auto& window : layer) totals.hits += window.size;
    }
    REQUIRE(found[e].ut_tracks.size() == expected.tracks.size());
    for (std::size_t t = 0; t < expected.tracks.size(); ++t) {
      CAPTURE(t);
      REQUIRE(same_ut_track(found[e].ut_tracks[t], expected.tracks[t]));
      ++totals.tracks;
      totals.three_hits += std::ranges::count(expected.tracks[t].hits, -1);
    }
  }
  return totals;
}

}  // namespace trackplex::test
