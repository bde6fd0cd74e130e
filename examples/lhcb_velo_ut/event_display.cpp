// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_display.hpp"

#include "event_views.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace lhcb_velo_ut {

using trackplex::program::Axes;
using trackplex::program::AxisRange;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;

namespace {

// The page, pixels: two views from the side, below them two along the beam.
constexpr double left = 90., right = 30., gap = 110.;
constexpr double velo_width = 740., flight_width = 740., side_height = 560.;
constexpr double ut_width = 840., middle_size = 640.;
constexpr double side_top = 178., ut_top = side_top + side_height + 105.;
constexpr double page_width = left + velo_width + gap + flight_width + right;
constexpr double page_height = ut_top + middle_size + 70.;
static_assert(velo_width + flight_width == ut_width + middle_size);

// What is seen, mm.
constexpr double ut_half_width = 910., middle_half_width = 160.;
constexpr double ut_half_height = ut_half_width * middle_size / ut_width;

/// A row of symbols with texts.
class Legend {
 public:
  Legend(SvgCanvas& canvas, SvgPoint at) : canvas_(canvas), at_(at) {}

  /// `draw(at)` draws a symbol between `at` and 26 pixels to the right.
  template <class Draw>
  void add(double width, const std::string& text, const Draw& draw) {
    draw(at_);
    canvas_.text({at_.x + 34., at_.y + 5.}, text);
    at_.x += width;
  }

  void add_track(double width, const std::string& text, std::string_view color) {
    add(width, text, [&](SvgPoint at) {
      canvas_.line(at, {at.x + 26., at.y}, {.stroke = color, .stroke_width = 2.});
      for (const double dx : {3., 13., 23.})
        canvas_.circle({at.x + dx, at.y}, 3., {.stroke = "none", .fill = color});
    });
  }

  void add_dot(double width, const std::string& text, std::string_view color) {
    add(width, text, [&](SvgPoint at) {
      canvas_.circle({at.x + 13., at.y}, 3., {.stroke = "none", .fill = color});
    });
  }

  void add_area(double width, const std::string& text, std::string_view color) {
    add(width, text, [&](SvgPoint at) {
      canvas_.rectangle({at.x + 9., at.y - 8.}, 8., 16., {.stroke = "#a8a898", .fill = color});
    });
  }

 private:
  SvgCanvas& canvas_;
  SvgPoint at_;
};

void draw_title(SvgCanvas& canvas, const std::string& name, const EventPicture& picture) {
  const auto& event = picture.event();
  canvas.text({left, 38.}, "LHCb VELO and UT: " + std::filesystem::path(name).filename().string(),
              {.size = 22., .bold = true});
  canvas.text({left, 64.},
              fmt::format("{} VELO hits, {} UT hits, {} VELO tracks, {} with UT hits",
                          event.velo_hits.size(), event.ut_hits.size(), event.velo_tracks.size(),
                          event.ut_tracks.size()),
              {.size = 17.});
}

void draw_legend(SvgCanvas& canvas, const EventPicture& picture) {
  using enum TrackKind;
  Legend tracks(canvas, {left, 96.});
  tracks.add_track(310., fmt::format("{} tracks with UT hits", picture.velo_tracks(with_ut_hits)),
                   color_of(with_ut_hits));
  tracks.add_track(310., fmt::format("{} forward tracks without", picture.velo_tracks(forward)),
                   color_of(forward));
  tracks.add_track(310., fmt::format("{} backward tracks", picture.velo_tracks(backward)),
                   color_of(backward));
  tracks.add_dot(310.,
                 fmt::format("{} VELO and {} UT hits on no track", picture.velo_hits(none),
                             picture.ut_hits(none)),
                 color_of(none));
  Legend marks(canvas, {left, 126.});
  marks.add_area(310., "VELO modules", module_color);
  marks.add_area(310., "UT sectors, borders of their groups", layer_color);
  marks.add(310., "track at the middle of the UT", [&](SvgPoint at) {
    draw_crossing(canvas, {at.x + 13., at.y});
  });
  marks.add(310., fmt::format("no sensors, r < {} mm", hole_radius), [&](SvgPoint at) {
    canvas.circle({at.x + 13., at.y}, 8., {.stroke = mark_color, .fill = "white"});
  });
}

/// Axes below a heading.
Axes panel(SvgCanvas& canvas, const std::string& heading, SvgPoint corner, double width,
           double height, AxisRange horizontal, AxisRange vertical) {
  canvas.text({corner.x, corner.y - 9.}, heading, {.size = 15., .color = mark_color});
  return Axes(corner, width, height, std::move(horizontal), std::move(vertical));
}

void draw_side_views(SvgCanvas& canvas, const EventPicture& picture) {
  const double half = velo_half_width(picture);
  draw_velo(canvas,
            panel(canvas, "VELO", {left, side_top}, velo_width, side_height,
                  {-320., 800., "z [mm]"}, {-half, half, "x [mm]"}),
            picture);
  draw_flight_to_ut(canvas,
                    panel(canvas, "Magnet and UT, after 900 mm that are not shown",
                          {left + velo_width + gap, side_top}, flight_width, side_height,
                          {1700., 2680., "z [mm]"}, {-ut_half_width, ut_half_width, "x [mm]"}),
                    picture);
}

void draw_beam_views(SvgCanvas& canvas, const EventPicture& picture) {
  draw_ut(
      canvas,
      panel(canvas, "Strips of the UT, all layers", {left, ut_top}, ut_width, middle_size,
            {-ut_half_width, ut_half_width, "x [mm]"}, {-ut_half_height, ut_half_height, "y [mm]"}),
      picture);
  draw_ut(canvas,
          panel(canvas, "The same around the beam", {left + ut_width + gap, ut_top}, middle_size,
                middle_size, {-middle_half_width, middle_half_width, "x [mm]"},
                {-middle_half_width, middle_half_width, "y [mm]"}),
          picture);
}

}  // namespace

std::string event_display(const trackplex::lhcb::Detector& detector, const std::string& name,
                          const EventResult& event) {
  const EventPicture picture(detector, event);
  SvgCanvas canvas(page_width, page_height);
  draw_title(canvas, name, picture);
  draw_legend(canvas, picture);
  draw_side_views(canvas, picture);
  draw_beam_views(canvas, picture);
  return canvas.document();
}

}  // namespace lhcb_velo_ut
