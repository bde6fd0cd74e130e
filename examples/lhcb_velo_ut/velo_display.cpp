// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/plots.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace lhcb_velo_ut {

using program::Coordinates;
using program::Json;

namespace {

using Point = std::array<double, 3>;  ///< x, y, z

/// What is seen of points: the numbers of two of their coordinates.
struct View {
  int across, up;

  std::array<double, 2> operator()(const Point& p) const { return {p[across], p[up]}; }
  std::string label(int coordinate) const { return fmt::format("{} [mm]", "xyz"[coordinate]); }
};
constexpr View side{2, 0}, along_beam{0, 1};

Point hit(const lhcb::VeloEvent& event, std::size_t i) {
  return {event.x[i], event.y[i], event.z[i]};
}

/// A track as a straight line, from its state at the beam to its farthest hit.
std::array<Point, 2> ends_of(const lhcb::VeloEvent& event, const lhcb::VeloTrackList& tracks,
                             std::size_t t) {
  const double first = event.z[tracks[t].front()], last = event.z[tracks[t].back()];
  const auto& s = tracks.states[t];
  const double z = s.backward ? std::min(first, last) : std::max(first, last);
  return {Point{s.x, s.y, s.z}, Point{s.x + s.tx * (z - s.z), s.y + s.ty * (z - s.z), z}};
}

/// The sensors of each side: what the hits of all its modules cover.
Json sensors(const lhcb::VeloEvent& event) {
  Coordinates lines;
  for (const int half : {0, 1}) {
    double low = 0., high = 0.;
    for (int m = half; m < lhcb::velo_modules; m += 2)
      for (auto i = event.module_offsets[m]; i < event.module_offsets[m + 1]; ++i) {
        low = std::min(low, event.x[i]);
        high = std::max(high, event.x[i]);
      }
    for (int m = half; m < lhcb::velo_modules; m += 2)
      lines.add_segment(lhcb::velo_module_z[m], low, lhcb::velo_module_z[m], high);
  }
  return lines.background("sensors");
}

Json panel(const View& view, const lhcb::VeloEvent& event, const lhcb::VeloTrackList& tracks) {
  enum { forward, backward, on_no_track };
  std::array<Coordinates, 3> hits, lines;
  std::vector<int> kind_of_hit(event.size(), on_no_track);
  for (std::size_t t = tracks.size(); t-- > 0;) {
    const int kind = tracks.states[t].backward ? backward : forward;
    const auto [from, to] = ends_of(event, tracks, t);
    lines[kind].add_segment(view(from), view(to));
    for (const auto i : tracks[t]) kind_of_hit[i] = kind;
  }
  for (std::size_t i = 0; i < event.size(); ++i) hits[kind_of_hit[i]].add(view(hit(event, i)));
  Json series = Json::array();
  if (view.across == side.across) series.push_back(sensors(event));
  const auto& unused = hits[on_no_track];
  series.push_back(unused.series(fmt::format("{} hits on no track", unused.x.size()), "dots", 7));
  for (const auto& [kind, name] : {std::pair(forward, "forward"), {backward, "backward"}}) {
    series.push_back(lines[kind].series(fmt::format("{} {} tracks", lines[kind].x.size(), name),
                                        "segments", kind));
    series.push_back(hits[kind].series("", "dots", kind));
  }
  auto panel = program::panel(view.label(view.across), view.label(view.up), std::move(series));
  panel["equal"] = view.across != side.across;
  return panel;
}

}  // namespace

Json event_display(const lhcb::Detector&, const lhcb::VeloEvent& event,
                   const lhcb::VeloResult& found) {
  const auto& tracks = found.tracks;
  return program::plot("event",
                       fmt::format("LHCb VELO, {}: {} hits, {} tracks",
                                   std::filesystem::path(event.name).filename().string(),
                                   event.size(), tracks.size()),
                       2, {panel(side, event, tracks), panel(along_beam, event, tracks)});
}

}  // namespace lhcb_velo_ut
