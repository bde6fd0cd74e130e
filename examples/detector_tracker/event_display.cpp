// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_results.hpp"

#include <common/plots.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/geometry/outlines.hpp>
#include <trackplex/io/detectors/detector_plot.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace detector_tracker {

namespace geometry = trackplex::geometry;
namespace program = trackplex::program;
using geometry::Projection;
using program::Json;

namespace {

constexpr std::size_t max_tracks = 400, max_hits = 8000;

/// Of n things in their order: every k-th, at most so many.
std::vector<std::size_t> sample(std::size_t n, std::size_t at_most) {
  std::vector<std::size_t> chosen;
  const std::size_t step = std::max<std::size_t>(1, (n + at_most - 1) / at_most);
  for (std::size_t i = 0; i < n; i += step) chosen.push_back(i);
  return chosen;
}

/// The hits of an event as points in space.
std::vector<geometry::Vector3<double>> points_of(const geometry::DetectorDescription& detector,
                                                 const EventOfBatch& event) {
  const auto& hits = event.batch->hits;
  std::vector<geometry::Vector3<double>> points;
  for (auto i = event.first_hit(); i < event.first_hit() + event.hits(); ++i) {
    const auto& module = detector.modules[std::size_t(hits.module[i])];
    points.push_back(geometry::to_global(module.frame, {{hits.u[i], hits.v[i], 0.}}));
  }
  return points;
}

}  // namespace

Json event_display(const geometry::DetectorDescription& detector, const EventOfBatch& event,
                   std::size_t number, const HitsOfTracks& tracks) {
  const auto points = points_of(detector, event);
  const auto shown_hits = sample(points.size(), max_hits),
             shown = sample(tracks.size(), max_tracks);
  auto panels = trackplex::io::detector_plot(detector)["panels"];
  const bool has_planes = panels[0]["y"]["label"] == "x [cm]";
  for (std::size_t i = 0; i < panels.size(); ++i) {
    constexpr int grey = 7, dot_color = 2;
    const auto projection =
        i == 1 ? Projection::xy : (has_planes ? Projection::zx : Projection::zr);
    for (auto& layer : panels[i]["series"]) {
      layer.erase("label");
      layer.update({{"color", grey}, {"background", true}});
    }
    program::Coordinates hits, lines;
    for (const auto hit : shown_hits) hits.add(geometry::project(points[hit], projection));
    for (const auto track : shown) {
      program::Coordinates line;
      for (const auto hit : tracks[track])
        line.add(geometry::project(points[std::size_t(hit)], projection));
      lines.add_line(line);
    }
    panels[i]["series"].push_back(hits.series(
        fmt::format("{} of {} hits", shown_hits.size(), points.size()), "dots", dot_color));
    panels[i]["series"].push_back(
        lines.series(fmt::format("{} of {} tracks", shown.size(), tracks.size()), "polylines"));
    panels[i]["equal"] = projection == Projection::xy;
  }
  return program::plot(
      "event", fmt::format("Event {}: {} hits, {} tracks", number, points.size(), tracks.size()), 2,
      panels);
}

void check_display(const Settings& settings, const Events& events) {
  const auto n = events.list().size();
  if (settings.display && *settings.display >= n)
    throw trackplex::UsageError("--display", fmt::format("there is no event {}", *settings.display),
                                fmt::format("{} events", n));
}

}  // namespace detector_tracker
