// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_views.hpp"

#include <trackplex/lhcb/p_kick_fit.hpp>
#include <trackplex/lhcb/ut_sector_groups.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace lhcb_velo_ut {

namespace lhcb = trackplex::lhcb;
using trackplex::program::Axes;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;

namespace {

int layer_of(const lhcb::UtHitList& hits, std::size_t hit) {
  int layer = 0;
  while (hit >= hits.layer_offsets[layer + 1]) ++layer;
  return layer;
}

struct Range {
  double low = 0.;
  double high = 0.;
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// What the sensors of a VELO module cover in x, the beam included.
Range module_range(const lhcb::VeloPixelGeometry& velo, int module) {
  Range range;
  for (int s = 0; s < lhcb::velo_sensors_per_module; ++s) {
    const auto& transform = velo.transforms[lhcb::velo_sensors_per_module * module + s];
    const std::array<double, 3> t = {transform[0], transform[1], transform[9]};
    for (const double column : {velo.column_x.front(), velo.column_x.back()})
      for (const double row : {0., lhcb::velo_pixel_rows * lhcb::velo_row_pitch})
        range.add(t[0] * column + t[1] * row + t[2]);
  }
  return range;
}

void draw_modules(SvgCanvas& canvas, const Axes& axes, const lhcb::VeloPixelGeometry& velo) {
  constexpr double half_thickness = lhcb::velo_plane_offset + 0.6;  // mm, to be seen
  for (int m = 0; m < lhcb::velo_modules; ++m) {
    const auto range = module_range(velo, m);
    const double z = velo.module_z[m];
    const auto a = axes(z - half_thickness, range.high), b = axes(z + half_thickness, range.low);
    canvas.rectangle(a, b.x - a.x, b.y - a.y, {.stroke = "none", .fill = module_color});
  }
}

/// The first sector of a layer of the UT; that of layer 4 is the end.
int first_sector(int layer) {
  return lhcb::ut_region_offsets[std::size_t(layer * lhcb::ut_regions)];
}

/// Where the hits of the layers of the UT stand.
void draw_layers(SvgCanvas& canvas, const Axes& axes, const lhcb::UtGeometry& ut) {
  constexpr std::array names = {"X", "U", "V", "X"};
  for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
    const auto [low, high] = std::minmax_element(ut.z.begin() + first_sector(layer),
                                                 ut.z.begin() + first_sector(layer + 1));
    constexpr double margin = 3.;  // mm
    const auto a = axes(double(*low) - margin, axes.vertical().high);
    const auto b = axes(double(*high) + margin, axes.vertical().low);
    canvas.rectangle(a, b.x - a.x, b.y - a.y, {.stroke = "none", .fill = layer_color});
    canvas.text({(a.x + b.x) / 2., a.y + 16.}, names[layer], {.anchor = "middle"});
  }
}

void draw_beam(SvgCanvas& canvas, const Axes& axes) {
  canvas.line(axes(axes.horizontal().low, 0.), axes(axes.horizontal().high, 0.),
              {.stroke = "#b0b0b0"});
}

double velo_x(const lhcb::VeloTrackState& s, double z) { return s.x + s.tx * (z - s.z); }
double velo_y(const lhcb::VeloTrackState& s, double z) { return s.y + s.ty * (z - s.z); }

/// A VELO track from the beam to its farthest hit, or out of the VELO.
void draw_velo_track(SvgCanvas& canvas, const Axes& axes, const EventPicture& picture,
                     std::size_t t) {
  const auto& event = picture.event();
  const auto& s = event.velo_tracks.states[t];
  const auto hits = event.velo_tracks[t];
  const auto z_of = [&](auto hit) { return event.velo_hits.z[hit]; };
  const double z_end =
      s.backward ? std::min(z_of(hits.front()), z_of(hits.back())) : axes.horizontal().high;
  canvas.line(axes(s.z, s.x), axes(z_end, velo_x(s, z_end)),
              {.stroke = color_of(picture.kind(t)), .stroke_width = 0.8, .opacity = 0.55});
}

void draw_straight_flight(SvgCanvas& canvas, const Axes& axes, const lhcb::VeloTrackState& s) {
  const double from = axes.horizontal().low, to = axes.horizontal().high;
  canvas.line(axes(from, velo_x(s, from)), axes(to, velo_x(s, to)),
              {.stroke = color_of(TrackKind::forward), .stroke_width = 0.7, .opacity = 0.45});
}

void draw_flight_with_kink(SvgCanvas& canvas, const Axes& axes, const EventPicture& picture,
                           const lhcb::UtTrack& track) {
  const auto& s = picture.event().velo_tracks.states[track.velo_track];
  const double from = axes.horizontal().low, to = axes.horizontal().high;
  const std::array points = {
      axes(from, velo_x(s, from)), axes(lhcb::ut_z_kink, velo_x(s, lhcb::ut_z_kink)),
      axes(lhcb::ut_z_middle, track.x), axes(to, track.x + track.slope * (to - lhcb::ut_z_middle))};
  canvas.polyline(
      points, {.stroke = color_of(TrackKind::with_ut_hits), .stroke_width = 0.8, .opacity = 0.6});
}

void draw_kink_plane(SvgCanvas& canvas, const Axes& axes) {
  const auto top = axes(lhcb::ut_z_kink, axes.vertical().high);
  const auto bottom = axes(lhcb::ut_z_kink, axes.vertical().low);
  const double dash = 5.;  // pixels, and the gap after it
  for (int i = 0; top.y + 2. * i * dash < bottom.y; ++i) {
    const double y = top.y + 2. * i * dash;
    canvas.line({top.x, y}, {top.x, y + dash}, {.stroke = mark_color});
  }
  canvas.text({top.x + 7., top.y + 16.}, "magnet: one kink", {.color = mark_color});
}

void draw_ut_marks(SvgCanvas& canvas, const Axes& axes, const EventPicture& picture,
                   TrackKind kind) {
  const auto& hits = picture.event().ut_hits;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (picture.ut_hit_kind(i) != kind) continue;
    const double x = picture.ut_hit_x(i, picture.ut_hit_y(i));
    canvas.circle(axes(hits.z[i], x), kind == TrackKind::none ? 1.2 : 1.8,
                  {.stroke = "none", .fill = color_of(kind)});
  }
}

/// The corners of a sector in x and y.
std::array<SvgPoint, 4> sector_corners(const Axes& axes, const lhcb::UtGeometry& ut, int layer,
                                       std::size_t s) {
  const double x = ut.x[s], y = ut.y[s], length = ut.length[s];
  const double x_per_strip = ut.x_per_strip[s], y_per_strip = ut.y_per_strip[s];
  const auto corner = [&](double strip, double along) {
    const double y_there = y + strip * y_per_strip + along;
    return axes(x + strip * x_per_strip + lhcb::ut_dxdy[layer] * y_there, y_there);
  };
  constexpr double strips = lhcb::ut_strips_per_sector;
  return {corner(0., 0.), corner(strips, 0.), corner(strips, length), corner(0., length)};
}

void draw_sectors(SvgCanvas& canvas, const Axes& axes, const lhcb::UtGeometry& ut) {
  for (int layer = 0; layer < lhcb::ut_layers; ++layer)
    for (int s = first_sector(layer); s < first_sector(layer + 1); ++s)
      canvas.polyline(sector_corners(axes, ut, layer, s),
                      {.stroke = "none", .fill = layer_color, .opacity = 0.4});
}

/// The borders between the columns of sectors of all layers.
void draw_group_borders(SvgCanvas& canvas, const Axes& axes, const lhcb::UtGeometry& ut) {
  const auto groups = lhcb::ut_sector_groups(ut);
  std::vector<Range> heights(groups.size());
  for (std::size_t s = 0; s < ut.size(); ++s) {
    const double y = ut.y[s], length = ut.length[s];
    heights[groups.of_sector[s]].add(y);
    heights[groups.of_sector[s]].add(y + length);
  }
  for (int layer = 0; layer < lhcb::ut_layers; ++layer)
    for (int g = groups.layer_offsets[layer]; g < groups.layer_offsets[layer + 1]; ++g) {
      const double x = groups.left_edge[g];
      const auto at = [&](double y) { return axes(x + lhcb::ut_dxdy[layer] * y, y); };
      canvas.line(at(heights[g].low), at(heights[g].high),
                  {.stroke = "#cfc19a", .stroke_width = 0.6});
    }
}

void draw_strips(SvgCanvas& canvas, const Axes& axes, const EventPicture& picture, TrackKind kind) {
  const auto& hits = picture.event().ut_hits;
  const bool unused = kind == TrackKind::none;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    if (picture.ut_hit_kind(i) != kind) continue;
    const double y0 = hits.y_begin[i], y1 = hits.y_end[i];
    canvas.line(axes(picture.ut_hit_x(i, y0), y0), axes(picture.ut_hit_x(i, y1), y1),
                {.stroke = color_of(kind),
                 .stroke_width = unused ? 0.6 : 1.,
                 .opacity = unused ? 0.7 : 0.85});
  }
}

/// Where the tracks with hits in the UT cross its middle.
void draw_crossings(SvgCanvas& canvas, const Axes& axes, const EventPicture& picture) {
  const auto& event = picture.event();
  for (const auto& track : event.ut_tracks) {
    const double y = velo_y(event.velo_tracks.states[track.velo_track], lhcb::ut_z_middle);
    draw_crossing(canvas, axes(track.x, y));
  }
}

}  // namespace

std::string_view color_of(TrackKind kind) {
  switch (kind) {
    case TrackKind::backward:
      return "#d9731a";
    case TrackKind::forward:
      return "#3f9a5f";
    case TrackKind::with_ut_hits:
      return "#1f6fb4";
    case TrackKind::none:
      break;
  }
  return "#8c8c8c";
}

EventPicture::EventPicture(const lhcb::Detector& detector, const EventResult& event)
    : detector_(detector),
      event_(event),
      kinds_(event.velo_tracks.size(), TrackKind::forward),
      velo_hit_kinds_(event.velo_hits.size(), TrackKind::none),
      ut_hit_y_(event.ut_hits.size()) {
  const auto& states = event.velo_tracks.states;
  for (std::size_t t = 0; t < kinds_.size(); ++t)
    if (states[t].backward) kinds_[t] = TrackKind::backward;
  for (const auto& track : event.ut_tracks) {
    kinds_[track.velo_track] = TrackKind::with_ut_hits;
    for (const auto hit : track.hits)
      if (hit >= 0 && !ut_hit_y_[hit])
        ut_hit_y_[hit] = velo_y(states[track.velo_track], event.ut_hits.z[hit]);
  }
  for (std::size_t t = 0; t < kinds_.size(); ++t)
    for (const auto hit : event.velo_tracks[t])
      velo_hit_kinds_[hit] = std::max(velo_hit_kinds_[hit], kinds_[t]);
}

std::size_t EventPicture::velo_tracks(TrackKind kind) const {
  return std::count(kinds_.begin(), kinds_.end(), kind);
}
std::size_t EventPicture::velo_hits(TrackKind kind) const {
  return std::count(velo_hit_kinds_.begin(), velo_hit_kinds_.end(), kind);
}
std::size_t EventPicture::ut_hits(TrackKind kind) const {
  std::size_t n = 0;
  for (std::size_t i = 0; i < ut_hit_y_.size(); ++i) n += ut_hit_kind(i) == kind;
  return n;
}

double EventPicture::ut_hit_y(std::size_t hit) const {
  const auto& hits = event_.ut_hits;
  return ut_hit_y_[hit].value_or((hits.y_begin[hit] + hits.y_end[hit]) / 2.);
}

double EventPicture::ut_hit_x(std::size_t hit, double y) const {
  const auto& hits = event_.ut_hits;
  return hits.x[hit] + lhcb::ut_dxdy[layer_of(hits, hit)] * y;
}

double velo_half_width(const EventPicture& picture) {
  double most = 40.;
  for (const double x : picture.event().velo_hits.x) most = std::max(most, std::abs(x));
  return 5. * std::ceil((most + 1.) / 5.);
}

void draw_velo(SvgCanvas& canvas, const Axes& axes, const EventPicture& picture) {
  axes.draw_grid(canvas);
  axes.clip(canvas);
  draw_modules(canvas, axes, picture.detector().velo);
  draw_beam(canvas, axes);
  for (const auto kind : track_kinds)
    for (std::size_t t = 0; t < picture.event().velo_tracks.size(); ++t)
      if (picture.kind(t) == kind) draw_velo_track(canvas, axes, picture, t);
  const auto& hits = picture.event().velo_hits;
  for (std::size_t i = 0; i < hits.size(); ++i)
    canvas.circle(axes(hits.z[i], hits.x[i]), 1.5,
                  {.stroke = "none", .fill = color_of(picture.velo_hit_kind(i))});
  canvas.end_clip();
  axes.draw_frame(canvas);
}

void draw_flight_to_ut(SvgCanvas& canvas, const Axes& axes, const EventPicture& picture) {
  const auto& event = picture.event();
  axes.draw_grid(canvas);
  axes.clip(canvas);
  draw_layers(canvas, axes, picture.detector().ut);
  draw_beam(canvas, axes);
  draw_kink_plane(canvas, axes);
  draw_ut_marks(canvas, axes, picture, TrackKind::none);
  for (std::size_t t = 0; t < event.velo_tracks.size(); ++t)
    if (picture.kind(t) == TrackKind::forward)
      draw_straight_flight(canvas, axes, event.velo_tracks.states[t]);
  for (const auto& track : event.ut_tracks) draw_flight_with_kink(canvas, axes, picture, track);
  draw_ut_marks(canvas, axes, picture, TrackKind::with_ut_hits);
  canvas.end_clip();
  axes.draw_frame(canvas);
}

void draw_crossing(SvgCanvas& canvas, SvgPoint at) {
  canvas.circle(at, 2.6, {.stroke = "white", .stroke_width = 0.6, .fill = "#0b2f57"});
}

void draw_ut(SvgCanvas& canvas, const Axes& axes, const EventPicture& picture) {
  axes.clip(canvas);
  draw_sectors(canvas, axes, picture.detector().ut);
  draw_group_borders(canvas, axes, picture.detector().ut);
  canvas.circle(axes(0., 0.), axes(hole_radius, 0.).x - axes(0., 0.).x,
                {.stroke = mark_color, .stroke_width = 0.8, .fill = "white"});
  draw_strips(canvas, axes, picture, TrackKind::none);
  draw_strips(canvas, axes, picture, TrackKind::with_ut_hits);
  draw_crossings(canvas, axes, picture);
  canvas.end_clip();
  axes.draw_frame(canvas);
}

}  // namespace lhcb_velo_ut
