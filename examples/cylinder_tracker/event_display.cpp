// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_display.hpp"

#include <trackplex/program/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

namespace cylinder_tracker {

using trackplex::program::Axes;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;
using trackplex::seeding::CylinderLayers;
using trackplex::seeding::TrackingEvents;

namespace {

constexpr std::string_view unused_color = "#8c8c8c", layer_color = "#d3ddd3";
constexpr std::array<std::string_view, 6> track_colors{"#1f6fb4", "#d9731a", "#2f8f4e",
                                                       "#b8323c", "#6d4fa3", "#2f9aa0"};
/// Hits of the event and those of its tracks that come first; more would only blacken the paper.
struct Selection {
  const TrackingEvents& events;
  int event;
  const TrackList& tracks;
  std::vector<std::size_t> shown;  ///< tracks
  std::size_t all = 0;             ///< tracks of the event
  static constexpr std::size_t most = 400;

  Selection(const TrackingEvents& all_events, int number, const TrackList& list)
      : events(all_events), event(number), tracks(list) {
    for (std::size_t track = 0; track < tracks.size(); ++track) {
      if (tracks.event[track] != event) continue;
      if (++all <= most) shown.push_back(track);
    }
  }

  std::size_t first(int layer) const {
    return std::size_t(events.hits.offsets[std::size_t(event * events.hits.layers() + layer)]);
  }
  /// Indices of the hits of a track.
  std::vector<std::size_t> hits_of(std::size_t track) const {
    std::vector<std::size_t> hits;
    for (int layer = 0; layer < tracks.layers; ++layer)
      if (const auto hit = tracks.hits_of(track)[std::size_t(layer)]; hit >= 0)
        hits.push_back(first(layer) + std::size_t(hit));
    return hits;
  }
  bool all_are_shown() const { return shown.size() == all; }
};

/// Where a hit is drawn: in x and y or, from the side, in z and r, r with the sign of `side`.
struct Projection {
  bool along_beam;
  SvgPoint operator()(const Axes& axes, const TrackingEvents& events, std::size_t hit,
                      double side) const {
    const double x = events.hits.x[hit], y = events.hits.y[hit];
    return along_beam ? axes(x, y)
                      : axes(events.hits.z[hit], std::copysign(std::hypot(x, y), side));
  }
};

void draw_view(SvgCanvas& canvas, const Axes& axes, const Selection& selection,
               const Projection& project) {
  const auto& events = selection.events;
  if (selection.all_are_shown())
    for (int layer = 0; layer < events.hits.layers(); ++layer)
      for (int i = 0; i < events.hits.size(selection.event, layer); ++i) {
        const auto hit = selection.first(layer) + std::size_t(i);
        canvas.circle(project(axes, events, hit, events.hits.y[hit]), 1.2,
                      {.stroke = "none", .fill = unused_color});
      }
  for (std::size_t i = 0; i < selection.shown.size(); ++i) {
    const auto color = track_colors[i % track_colors.size()];
    const auto hits = selection.hits_of(selection.shown[i]);
    std::vector<SvgPoint> points;
    for (const auto hit : hits)  // a track stays on the side where it begins
      points.push_back(project(axes, events, hit, events.hits.y[hits.front()]));
    canvas.polyline(points, {.stroke = color, .stroke_width = 0.9, .opacity = 0.7});
    for (const auto& point : points) canvas.circle(point, 1.4, {.stroke = "none", .fill = color});
  }
}

void draw_layers(SvgCanvas& canvas, const Axes& axes, const CylinderLayers& detector,
                 bool along_beam) {
  const double half = axes.horizontal().high;
  for (int layer = 0; layer < detector.size; ++layer) {
    const double r = detector.radius[std::size_t(layer)];
    if (along_beam) {
      canvas.circle(axes(0., 0.), axes(r, 0.).x - axes(0., 0.).x,
                    {.stroke = layer_color, .stroke_width = 2.});
    } else {
      for (const double y : {r, -r})
        canvas.line(axes(-half, y), axes(half, y), {.stroke = layer_color, .stroke_width = 2.});
    }
  }
}

}  // namespace

std::string event_display(const TrackingEvents& events, int event, const CylinderLayers& detector,
                          const TrackList& tracks) {
  const Selection selection(events, event, tracks);
  const double r = 1.05 * detector.radius[std::size_t(detector.size - 1)];
  double half_length = r;
  for (int layer = 0; layer < events.hits.layers(); ++layer)
    for (int i = 0; i < events.hits.size(event, layer); ++i)
      half_length = std::max(
          half_length, double(std::abs(events.hits.z[selection.first(layer) + std::size_t(i)])));

  constexpr double left = 80., top = 90., panel = 620., column = 720.;
  SvgCanvas canvas(left + column + panel + 40., top + panel + 80.);
  canvas.text({left, 40.},
              fmt::format("Event {}: {} tracks{}", event, selection.all,
                          selection.all_are_shown()
                              ? std::string()
                              : fmt::format(", of which {} are shown", selection.shown.size())),
              {.size = 22., .bold = true});
  for (const bool along_beam : {true, false}) {
    const Axes axes({along_beam ? left : left + column, top}, panel, panel,
                    along_beam ? trackplex::program::AxisRange{-r, r, "x [cm]"}
                               : trackplex::program::AxisRange{-half_length, half_length, "z [cm]"},
                    {-r, r, along_beam ? "y [cm]" : "r, up or down as y [cm]"});
    axes.clip(canvas);
    draw_layers(canvas, axes, detector, along_beam);
    draw_view(canvas, axes, selection, {along_beam});
    canvas.end_clip();
    axes.draw_frame(canvas);
  }
  return canvas.document();
}

}  // namespace cylinder_tracker
