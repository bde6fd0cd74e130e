// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/program/axes.hpp>
#include <trackplex/program/pipeline_scan.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::program {

namespace detail {

/// Medians as a line with points, quartiles as bars, on a vertical axis that begins at 0.
template <class Position>
void draw_scan(SvgCanvas& canvas, SvgPoint corner, const std::string& title, AxisRange horizontal,
               const std::vector<PipelineScanPoint>& points, const Position& position) {
  constexpr std::string_view color = "#1f6fb4";
  constexpr double width = 420., height = 300.;
  double highest = 1.;
  for (const auto& point : points) highest = std::max(highest, point.events_per_s.upper_quartile);
  const Axes axes(corner, width, height, std::move(horizontal),
                  {0., 1.15 * highest / 1000., "1000 events/s"});
  axes.draw_grid(canvas);
  std::vector<SvgPoint> line;
  for (const auto& point : points) {
    const auto at = [&](double rate) { return axes(position(point), rate / 1000.); };
    line.push_back(at(point.events_per_s.median));
    canvas.line(at(point.events_per_s.lower_quartile), at(point.events_per_s.upper_quartile),
                {.stroke = color, .stroke_width = 1.5});
    canvas.circle(line.back(), 4., {.stroke = color, .fill = point.made_smaller ? "white" : color});
  }
  canvas.polyline(line, {.stroke = color, .stroke_width = 2.});
  axes.draw_frame(canvas);
  canvas.text({corner.x + width / 2., corner.y - 14.}, title, {.size = 15., .anchor = "middle"});
}

}  // namespace detail

/// Both scans side by side, as SVG. Open points: batches did not fit into the memory of a slot.
inline std::string scan_picture(const PipelineScan& scan, const std::string& title) {
  SvgCanvas canvas(1120., 470.);
  canvas.text({100., 34.}, title, {.size = 17., .bold = true});
  const auto& s = scan.settings;
  detail::draw_scan(canvas, {100., 90.}, fmt::format("{} events per batch", s.events_per_batch),
                    {0., s.max_slots + 1., "slots"}, scan.over_slots,
                    [](const auto& point) { return double(point.slots); });
  detail::draw_scan(canvas, {650., 90.}, fmt::format("{} slot{}", s.slots, s.slots == 1 ? "" : "s"),
                    {0.8, 1.25 * std::max(s.max_batch, 2), "events per batch", true},
                    scan.over_batches,
                    [](const auto& point) { return double(point.events_per_batch); });
  return canvas.document();
}

}  // namespace trackplex::program
