// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_display.hpp"

#include <common/plots.hpp>
#include <trackplex/core/derived_math.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace detector_tracker {

/// Of n things in their order: every k-th, at most so many.
static std::vector<std::size_t> sample(std::size_t n, std::size_t at_most) {
  std::vector<std::size_t> chosen;
  const std::size_t step = std::max<std::size_t>(1, (n + at_most - 1) / at_most);
  for (std::size_t i = 0; i < n; i += step) chosen.push_back(i);
  return chosen;
}

program::Json event_display(std::size_t number, const std::vector<Vector3>& hits,
                            const std::vector<std::vector<std::size_t>>& tracks,
                            std::vector<View> views, int color_of_hits) {
  constexpr std::size_t max_tracks = 400, max_hits = 8000;
  const auto shown_hits = sample(hits.size(), max_hits), shown = sample(tracks.size(), max_tracks);
  program::Json panels;
  for (auto& [panel, project] : views) {
    program::Coordinates dots, lines;
    for (const auto hit : shown_hits) dots.add(project(hits[hit], hits[hit]));
    for (const auto track : shown) {
      program::Coordinates line;
      for (const auto hit : tracks[track])
        line.add(project(hits[hit], hits[tracks[track].front()]));
      lines.add_line(line);
    }
    panel["series"].push_back(dots.series(
        fmt::format("{} of {} hits", shown_hits.size(), hits.size()), "dots", color_of_hits));
    panel["series"].push_back(
        lines.series(fmt::format("{} of {} tracks", shown.size(), tracks.size()), "polylines"));
    panels.push_back(std::move(panel));
  }
  return program::plot(
      "event", fmt::format("Event {}: {} hits, {} tracks", number, hits.size(), tracks.size()), 2,
      panels);
}

/// Puts points in the order of flight: those of overlapping modules of a layer may be exchanged.
static void order_along(std::vector<io::DisplayPoint>& points) {
  const int n = int(points.size());
  const auto distance = [&](int from, int to) {
    if (from < 0 || to >= n) return 0.;
    const auto &a = points[std::size_t(from)], &b = points[std::size_t(to)];
    return trackplex::hypot(trackplex::hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
  };
  for (bool moved = true; moved;) {  // each exchange shortens the path
    moved = false;
    for (int i = 0; i + 1 < n; ++i)
      if (distance(i - 1, i + 1) + distance(i, i + 2) <
          (1. - 1e-12) * (distance(i - 1, i) + distance(i + 1, i + 2))) {
        std::swap(points[std::size_t(i)], points[std::size_t(i + 1)]);
        moved = true;
      }
  }
}

io::DisplayEvent event_display(std::size_t number, const std::vector<Vector3>& hits,
                               const std::vector<std::vector<std::size_t>>& tracks) {
  const auto point = [&hits](std::size_t hit) {
    constexpr double mm = 10.;  // cm
    return io::DisplayPoint{mm * hits[hit](0), mm * hits[hit](1), mm * hits[hit](2)};
  };
  io::DisplayEvent event{.name = fmt::format("event {}", number)};
  io::DisplayTracks lines{.name = "Tracks", .color = 0x1f77b4, .diameter = 1., .tracks = {}};
  io::DisplayPoints used{.name = "Hits of tracks", .color = 0x2ca02c, .size = 2., .points = {}};
  io::DisplayPoints unused{.name = "Hits on no track", .color = 0xb0b0b0, .size = 2., .points = {}};
  std::vector<bool> is_used(hits.size());
  for (const auto& track : tracks) {
    auto& line = lines.tracks.emplace_back();
    for (const auto hit : track) {
      is_used[hit] = true;
      line.points.push_back(point(hit));
    }
    order_along(line.points);
    line.values = {{"hits", double(track.size())}};
  }
  for (std::size_t i = 0; i < hits.size(); ++i)
    (is_used[i] ? used : unused).points.push_back(point(i));
  event.tracks.push_back(std::move(lines));
  event.hits = {std::move(used), std::move(unused)};
  return event;
}

}  // namespace detector_tracker
