// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/derived_math.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/io/display/lhcb_display.hpp>
#include <trackplex/lhcb/scifi/long_track_list.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/ut/p_kick_fit.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/ut/ut_track_list.hpp>
#include <trackplex/lhcb/velo/velo_track_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

namespace detail {

// Red, orange and blue for tracks, green for their hits and grey for those on none.
inline constexpr std::uint32_t forward_color = 0x1f77b4, backward_color = 0x7fb0d8,
                               ut_track_color = 0xff7f0e, long_track_color = 0xd62728,
                               used_color = 0x2ca02c, unused_color = 0xb0b0b0,
                               vertex_color = 0x9467bd;

/// Angles and chi2 of a VELO track.
TRACKPLEX_INLINE std::vector<std::pair<std::string, double>> values_of(
    const lhcb::VeloTrackState& s) {
  const double eta = asinh(1. / std::max(hypot(s.tx, s.ty), 1e-9));
  return {{"phi", s.backward ? atan2(-s.ty, -s.tx) : atan2(s.ty, s.tx)},
          {"eta", s.backward ? -eta : eta},
          {"chi2", s.chi2},
          {"dof", double(s.ndf)}};
}

inline DisplayPoint at_z(const lhcb::VeloTrackState& s, double z) {
  return {s.x + s.tx * (z - s.z), s.y + s.ty * (z - s.z), z};
}

/// Splits the hits of the VELO into those on tracks and on none, and adds both.
template <class Hits>
void add_velo_hits(DisplayEvent& to, const Hits& hits, const lhcb::VeloTrackList& tracks) {
  std::vector<bool> is_used(hits.size(), false);
  for (const auto hit : tracks.hits) is_used[hit] = true;
  DisplayPoints used{.name = "VELO hits", .color = used_color, .size = 0.5, .points = {}};
  DisplayPoints unused{
      .name = "VELO hits on no track", .color = unused_color, .size = 0.5, .points = {}};
  for (std::size_t i = 0; i < hits.size(); ++i)
    (is_used[i] ? used : unused).points.push_back({hits.x[i], hits.y[i], hits.z[i]});
  to.hits.push_back(std::move(used));
  to.hits.push_back(std::move(unused));
}

/// The points of a VELO track in the order of flight: at the beam where collisions are, then its
/// hits.
template <class Hits>
std::vector<DisplayPoint> velo_points(const Hits& hits, std::span<const std::uint16_t> on_track,
                                      const lhcb::VeloTrackState& s) {
  std::vector<DisplayPoint> points;
  for (const auto i : on_track) points.push_back({hits.x[i], hits.y[i], hits.z[i]});
  const double sign = s.backward ? -1. : 1.;
  std::sort(points.begin(), points.end(),
            [=](const auto& a, const auto& b) { return sign * a[2] < sign * b[2]; });
  constexpr double collisions = 300.;  // |z|; tracks along the beam are closest to it anywhere
  if (std::abs(s.z) < collisions && sign * s.z < sign * points.front()[2])
    points.insert(points.begin(), {s.x, s.y, s.z});
  return points;
}

/// Adds tracks of the VELO; `is_left_out` (track).
template <class Hits>
void add_velo_tracks(DisplayEvent& to, const Hits& hits, const lhcb::VeloTrackList& tracks,
                     const std::vector<bool>& is_left_out) {
  DisplayTracks forward{.name = "VELO tracks", .color = forward_color, .tracks = {}};
  DisplayTracks backward{.name = "Backward VELO tracks", .color = backward_color, .tracks = {}};
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    if (is_left_out[t] || tracks[t].empty()) continue;
    const auto& state = tracks.states[t];
    (state.backward ? backward : forward)
        .tracks.push_back({velo_points(hits, tracks[t], state), values_of(state)});
  }
  to.tracks.push_back(std::move(forward));
  to.tracks.push_back(std::move(backward));
}

/// Adds momentum and transverse momentum to the numbers of a track of the VELO.
TRACKPLEX_INLINE void add_momentum(DisplayTrack& to, const lhcb::VeloTrackState& s, double p) {
  const double t = hypot(s.tx, s.ty);
  to.values.push_back({"p [MeV]", p});
  to.values.push_back({"pT", p * t / sqrt(1. + t * t)});
}

/// A track with hits in the UT: straight to the kink in the magnet, and straight through the UT.
/// The curve of a display needs points near the kink.
TRACKPLEX_INLINE DisplayTrack display_of(const lhcb::UtTrack& track,
                                         const lhcb::TracksResult& found) {
  constexpr double kink = lhcb::ut_z_kink, middle = lhcb::ut_z_middle, end = 2700., near = 20.;
  const auto& s = found.velo_tracks.states[track.velo_track];
  DisplayTrack shown{velo_points(found.velo_hits, found.velo_tracks[track.velo_track], s),
                     values_of(s)};
  for (const double z : {kink - near, kink}) shown.points.push_back(at_z(s, z));
  for (const double z : {kink + near, middle, end})
    shown.points.push_back({track.x + track.slope * (z - middle), s.y + s.ty * (z - s.z), z});
  add_momentum(shown, s, track.p());
  return shown;
}

/// A long track: as in the VELO and the UT, then through its hits in the SciFi.
TRACKPLEX_INLINE DisplayTrack display_of(const lhcb::LongTrack& track,
                                         const lhcb::TracksResult& found) {
  const auto& s = found.velo_tracks.states[track.velo_track];
  DisplayTrack shown;
  if (track.ut_track >= 0)
    shown.points = display_of(found.ut_tracks[std::size_t(track.ut_track)], found).points;
  else
    shown.points = velo_points(found.velo_hits, found.velo_tracks[track.velo_track], s);
  for (std::size_t layer = 0; layer < lhcb::scifi_layers; ++layer) {
    if (track.hits[layer] < 0) continue;
    const auto hit = std::size_t(track.hits[layer]);
    const double z = found.scifi_hits.z[hit];
    const double y = track.y + track.ty * (z - lhcb::scifi_end_z);
    shown.points.push_back(
        {found.scifi_hits.x[hit] + lhcb::scifi_dxdy[layer] * y, y, z + lhcb::scifi_dzdy * y});
  }
  if (shown.points.empty() || shown.points.back()[2] < lhcb::scifi_end_z)
    shown.points.push_back({track.x, track.y, lhcb::scifi_end_z});
  shown.values = values_of(s);
  add_momentum(shown, s, track.p());
  return shown;
}

TRACKPLEX_INLINE void add_ut_hits(DisplayEvent& to, const lhcb::TracksResult& found) {
  const auto& hits = found.ut_hits;
  std::vector<double> y(hits.size());
  std::vector<bool> is_used(hits.size(), false);
  for (std::size_t i = 0; i < hits.size(); ++i) y[i] = (hits.y_begin[i] + hits.y_end[i]) / 2.;
  for (const auto& track : found.ut_tracks) {
    const auto& s = found.velo_tracks.states[track.velo_track];
    for (const auto hit : track.hits) {
      if (hit < 0) continue;
      is_used[std::size_t(hit)] = true;
      y[std::size_t(hit)] = at_z(s, hits.z[std::size_t(hit)])[1];
    }
  }
  DisplayPoints used{.name = "UT hits", .color = used_color, .size = 3., .points = {}};
  DisplayPoints unused{
      .name = "UT hits on no track", .color = unused_color, .size = 3., .points = {}};
  for (std::size_t layer = 0; layer < lhcb::ut_layers; ++layer)
    for (std::size_t i = hits.layer_offsets[layer]; i < hits.layer_offsets[layer + 1]; ++i)
      (is_used[i] ? used : unused)
          .points.push_back({hits.x[i] + lhcb::ut_dxdy[layer] * y[i], y[i], hits.z[i]});
  to.hits.push_back(std::move(used));
  to.hits.push_back(std::move(unused));
}

/// Zones are the lower and upper halves of layers.
TRACKPLEX_INLINE void add_scifi_hits(DisplayEvent& to, const lhcb::ScifiHitList& hits) {
  DisplayPoints fibres{.name = "SciFi hits", .color = unused_color, .size = 5., .points = {}};
  for (std::size_t zone = 0; zone < lhcb::scifi_zones; ++zone)
    for (std::size_t i = hits.zone_offsets[zone]; i < hits.zone_offsets[zone + 1]; ++i) {
      const double y = (hits.y_begin[i] + hits.y_end[i]) / 2.;
      fibres.points.push_back(
          {hits.x[i] + lhcb::scifi_dxdy[zone / 2] * y, y, hits.z[i] + lhcb::scifi_dzdy * y});
    }
  to.hits.push_back(std::move(fibres));
}

}  // namespace detail

TRACKPLEX_INLINE DisplayEvent display_of(const std::string& name, const lhcb::VeloEvent& event,
                                         const lhcb::VeloResult& found) {
  DisplayEvent shown{.name = name};
  detail::add_velo_tracks(shown, event, found.tracks, std::vector<bool>(found.tracks.size()));
  detail::add_velo_hits(shown, event, found.tracks);
  return shown;
}

TRACKPLEX_INLINE DisplayEvent display_of(const std::string& name, const lhcb::TracksResult& found) {
  DisplayEvent shown{.name = name};
  std::vector<bool> is_drawn(found.velo_tracks.size());
  const auto add_longer = [&](const auto& tracks, const char* list, std::uint32_t color) {
    DisplayTracks drawn{.name = list, .color = color, .diameter = 1., .tracks = {}};
    for (const auto& track : tracks)
      if (!is_drawn[track.velo_track]) drawn.tracks.push_back(detail::display_of(track, found));
    for (const auto& track : tracks) is_drawn[track.velo_track] = true;
    shown.tracks.push_back(std::move(drawn));
  };
  add_longer(found.long_tracks, "Long tracks", detail::long_track_color);
  add_longer(found.ut_tracks, "VELO-UT tracks", detail::ut_track_color);
  detail::add_velo_tracks(shown, found.velo_hits, found.velo_tracks, is_drawn);
  detail::add_velo_hits(shown, found.velo_hits, found.velo_tracks);
  detail::add_ut_hits(shown, found);
  detail::add_scifi_hits(shown, found.scifi_hits);
  DisplayPoints vertices{
      .name = "Primary vertices", .color = detail::vertex_color, .size = 1., .points = {}};
  for (const auto& vertex : found.vertices) vertices.points.push_back(vertex.position);
  shown.vertices.push_back(std::move(vertices));
  return shown;
}

}  // namespace trackplex::io
