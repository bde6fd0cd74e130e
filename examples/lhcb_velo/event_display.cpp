// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_display.hpp"

#include <trackplex/program/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace lhcb_velo {

using trackplex::lhcb::VeloEvent;
using trackplex::lhcb::VeloTrackList;
using trackplex::program::Axes;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;
using trackplex::program::SvgStyle;

namespace {

constexpr std::string_view forward_color = "#1f6fb4";
constexpr std::string_view backward_color = "#d9731a";
constexpr std::string_view unused_color = "#8c8c8c";
constexpr std::string_view module_color = "#d3ddd3";

std::string_view color_of(const VeloTrackList& tracks, std::size_t t) {
  return !tracks.states.empty() && tracks.states[t].backward ? backward_color : forward_color;
}

/// Half the width of the square that shows all hits, a multiple of 5 mm.
double half_width(const VeloEvent& event) {
  double most = 40.;
  for (std::size_t i = 0; i < event.size(); ++i)
    most = std::max({most, std::abs(event.x[i]), std::abs(event.y[i])});
  return 5. * std::ceil((most + 1.) / 5.);
}

/// The colour of each hit: that of its first track, or that of unused hits.
std::vector<std::string_view> hit_colors(const VeloEvent& event, const VeloTrackList& tracks) {
  std::vector<std::string_view> colors(event.size(), unused_color);
  for (std::size_t t = tracks.size(); t-- > 0;)
    for (const auto hit : tracks[t]) colors[hit] = color_of(tracks, t);
  return colors;
}

/// Where the sensors of one side are drawn, x in mm: what the hits of all its modules cover.
struct SideExtent {
  double low = 0.;
  double high = 0.;
};
SideExtent side_extent(const VeloEvent& event, int side) {
  SideExtent extent;
  for (int m = side; m < trackplex::lhcb::velo_modules; m += 2)
    for (auto i = event.module_offsets[m]; i < event.module_offsets[m + 1]; ++i) {
      extent.low = std::min(extent.low, event.x[i]);
      extent.high = std::max(extent.high, event.x[i]);
    }
  return extent;
}

void draw_modules(SvgCanvas& canvas, const Axes& axes, const VeloEvent& event) {
  constexpr double half_thickness = trackplex::lhcb::velo_plane_offset + 0.6;  // mm, to be seen
  for (const int side : {0, 1}) {
    const auto [low, high] = side_extent(event, side);
    for (int m = side; m < trackplex::lhcb::velo_modules; m += 2) {
      const double z = trackplex::lhcb::velo_module_z[m];
      const auto a = axes(z - half_thickness, high), b = axes(z + half_thickness, low);
      canvas.rectangle(a, b.x - a.x, b.y - a.y, {.stroke = "none", .fill = module_color});
    }
  }
}

/// A track as a straight line, from its state at the beam to its farthest hit.
struct Segment {
  double x0, y0, z0;
  double x1, y1, z1;
};
Segment segment_of(const VeloEvent& event, const VeloTrackList& tracks, std::size_t t) {
  const auto hits = tracks[t];
  const auto first = hits.front(), last = hits.back();
  if (tracks.states.empty())
    return {event.x[last],  event.y[last],  event.z[last],
            event.x[first], event.y[first], event.z[first]};
  const auto& s = tracks.states[t];
  const double z_far = s.backward ? std::min(event.z[first], event.z[last])
                                  : std::max(event.z[first], event.z[last]);
  return {s.x, s.y, s.z, s.x + s.tx * (z_far - s.z), s.y + s.ty * (z_far - s.z), z_far};
}

void draw_side_view(SvgCanvas& canvas, const Axes& axes, const VeloEvent& event,
                    const VeloTrackList& tracks) {
  axes.draw_grid(canvas);
  axes.clip(canvas);
  draw_modules(canvas, axes, event);
  canvas.line(axes(axes.horizontal().low, 0.), axes(axes.horizontal().high, 0.),
              {.stroke = "#b0b0b0"});
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto s = segment_of(event, tracks, t);
    canvas.line(axes(s.z0, s.x0), axes(s.z1, s.x1),
                {.stroke = color_of(tracks, t), .stroke_width = 0.8, .opacity = 0.55});
  }
  const auto colors = hit_colors(event, tracks);
  for (std::size_t i = 0; i < event.size(); ++i)
    canvas.circle(axes(event.z[i], event.x[i]), 1.6, {.stroke = "none", .fill = colors[i]});
  canvas.end_clip();
  axes.draw_frame(canvas);
}

void draw_beam_view(SvgCanvas& canvas, const Axes& axes, const VeloEvent& event,
                    const VeloTrackList& tracks) {
  axes.draw_grid(canvas);
  axes.clip(canvas);
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto s = segment_of(event, tracks, t);
    canvas.line(axes(s.x0, s.y0), axes(s.x1, s.y1),
                {.stroke = color_of(tracks, t), .stroke_width = 0.8, .opacity = 0.45});
  }
  const auto colors = hit_colors(event, tracks);
  for (std::size_t i = 0; i < event.size(); ++i)
    canvas.circle(axes(event.x[i], event.y[i]), 1.4, {.stroke = "none", .fill = colors[i]});
  canvas.end_clip();
  axes.draw_frame(canvas);
}

void draw_legend(SvgCanvas& canvas, SvgPoint at, const VeloEvent& event,
                 const VeloTrackList& tracks) {
  std::size_t backward = 0;
  for (const auto& state : tracks.states) backward += state.backward;
  std::vector<bool> on_track(event.size(), false);
  for (const auto hit : tracks.hits) on_track[hit] = true;
  const auto used = std::count(on_track.begin(), on_track.end(), true);

  const auto entry = [&](double width, const std::string& text, auto&& draw_symbol) {
    draw_symbol();
    canvas.text({at.x + 34., at.y + 5.}, text);
    at.x += width;
  };
  const auto track = [&](std::string_view color) {
    canvas.line(at, {at.x + 26., at.y}, {.stroke = color, .stroke_width = 2.});
    for (const double dx : {3., 13., 23.})
      canvas.circle({at.x + dx, at.y}, 3., {.stroke = "none", .fill = color});
  };
  entry(195., fmt::format("{} forward tracks", tracks.size() - backward),
        [&] { track(forward_color); });
  entry(205., fmt::format("{} backward tracks", backward), [&] { track(backward_color); });
  entry(200., fmt::format("{} hits on no track", event.size() - std::size_t(used)), [&] {
    canvas.circle({at.x + 13., at.y}, 3., {.stroke = "none", .fill = unused_color});
  });
  entry(200., "sensor modules", [&] {
    canvas.rectangle({at.x + 9., at.y - 9.}, 8., 18., {.stroke = "#b9c4b9", .fill = module_color});
  });
}

}  // namespace

std::string event_display(const VeloEvent& event, const VeloTrackList& tracks) {
  constexpr double panel = 560., top = 100., left = 90., side_width = 960.;
  SvgCanvas canvas(left + side_width + 110. + panel + 30., top + panel + 80.);
  const double half = half_width(event);

  canvas.text({left, 38.}, "LHCb VELO: " + std::filesystem::path(event.name).filename().string(),
              {.size = 22., .bold = true});
  canvas.text({left + side_width + 110. + panel, 38.},
              fmt::format("{} hits, {} tracks", event.size(), tracks.size()),
              {.size = 18., .anchor = "end"});
  draw_legend(canvas, {left, 70.}, event, tracks);
  draw_side_view(
      canvas,
      Axes({left, top}, side_width, panel, {-320., 780., "z [mm]"}, {-half, half, "x [mm]"}), event,
      tracks);
  draw_beam_view(canvas,
                 Axes({left + side_width + 110., top}, panel, panel, {-half, half, "x [mm]"},
                      {-half, half, "y [mm]"}),
                 event, tracks);
  return canvas.document();
}

}  // namespace lhcb_velo
