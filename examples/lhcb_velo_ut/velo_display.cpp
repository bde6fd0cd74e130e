// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/plots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

namespace lhcb_velo_ut {

using trackplex::lhcb::VeloEvent;
using trackplex::lhcb::VeloTrackList;
using trackplex::program::Coordinates;
using trackplex::program::Json;

namespace {

/// A point in space as both views show it.
struct Point {
  double x, y, z;
};

enum View { side, beam };

std::array<double, 2> seen(View view, const Point& p) {
  return view == side ? std::array{p.z, p.x} : std::array{p.x, p.y};
}

/// A track as a straight line, from its state at the beam to its farthest hit.
std::array<Point, 2> ends_of(const VeloEvent& event, const VeloTrackList& tracks, std::size_t t) {
  const auto hit = [&](std::size_t i) { return Point{event.x[i], event.y[i], event.z[i]}; };
  const auto first = hit(tracks[t].front()), last = hit(tracks[t].back());
  if (tracks.states.empty()) return {last, first};
  const auto& s = tracks.states[t];
  const double z = s.backward ? std::min(first.z, last.z) : std::max(first.z, last.z);
  return {Point{s.x, s.y, s.z}, Point{s.x + s.tx * (z - s.z), s.y + s.ty * (z - s.z), z}};
}

/// The sensors of each side: what the hits of all its modules cover.
Json sensors(const VeloEvent& event) {
  Coordinates lines;
  for (const int half : {0, 1}) {
    double low = 0., high = 0.;
    for (int m = half; m < trackplex::lhcb::velo_modules; m += 2)
      for (auto i = event.module_offsets[m]; i < event.module_offsets[m + 1]; ++i) {
        low = std::min(low, event.x[i]);
        high = std::max(high, event.x[i]);
      }
    for (int m = half; m < trackplex::lhcb::velo_modules; m += 2) {
      const double z = trackplex::lhcb::velo_module_z[m];
      lines.add_segment(z, low, z, high);
    }
  }
  return lines.background("sensors");
}

Json panel(View view, const VeloEvent& event, const VeloTrackList& tracks) {
  Coordinates unused, hits[2], lines[2];
  std::vector<int> kind_of_hit(event.size(), -1);
  std::array<std::size_t, 2> n{};
  for (std::size_t t = tracks.size(); t-- > 0;) {
    const int kind = !tracks.states.empty() && tracks.states[t].backward;
    ++n[kind];
    const auto [from, to] = ends_of(event, tracks, t);
    lines[kind].add_segment(seen(view, from), seen(view, to));
    for (const auto hit : tracks[t]) kind_of_hit[hit] = kind;
  }
  for (std::size_t i = 0; i < event.size(); ++i) {
    const Point at{event.x[i], event.y[i], event.z[i]};
    (kind_of_hit[i] < 0 ? unused : hits[kind_of_hit[i]]).add(seen(view, at));
  }
  Json series = Json::array();
  if (view == side) series.push_back(sensors(event));
  series.push_back(unused.series(fmt::format("{} hits on no track", unused.x.size()), "dots", 7));
  for (const int kind : {0, 1}) {
    const auto* const name = kind == 0 ? "forward" : "backward";
    series.push_back(
        lines[kind].series(fmt::format("{} {} tracks", n[kind], name), "segments", kind));
    series.push_back(hits[kind].series("", "dots", kind));
  }
  return {{"x", {{"label", view == side ? "z [mm]" : "x [mm]"}}},
          {"y", {{"label", view == side ? "x [mm]" : "y [mm]"}}},
          {"equal", view == beam},
          {"series", series}};
}

}  // namespace

Json event_display(const lhcb::Detector&, const VeloEvent& event, const lhcb::VeloResult& found) {
  const auto& tracks = found.tracks;
  return {{"name", "event"},
          {"title", fmt::format("LHCb VELO, {}: {} hits, {} tracks",
                                std::filesystem::path(event.name).filename().string(), event.size(),
                                tracks.size())},
          {"columns", 2},
          {"panels", {panel(side, event, tracks), panel(beam, event, tracks)}}};
}

}  // namespace lhcb_velo_ut
