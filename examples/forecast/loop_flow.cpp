// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loop_flow.hpp"

#include <trackplex/program/svg.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace forecast {

namespace model = trackplex::perfmodel;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;

namespace {

constexpr double line_height = 20., padding = 16., back_edge = 90., text_width = 400.;
constexpr double left = 330., top = 90.;
constexpr std::string_view loop_color = "#1f6fb4", memory_color = "#4b8b3b", link_color = "#d9731a";

/// What stands in the box of a loop, above the loops inside it.
std::vector<std::string> lines_of(const model::Loop& loop) {
  std::vector<std::string> lines{fmt::format("{:.4g} instructions", model::own_instructions(loop))};
  const double flops = loop.operations.flops();
  if (flops > 0.) lines.back() += fmt::format(", {:.4g} flop", flops);
  for (const auto& call : loop.calls)
    lines.push_back(
        fmt::format("calls {} x {:.4g}, {:.4g} each", call.name, call.times, call.instructions));
  for (const auto& branch : loop.branches)
    lines.push_back(fmt::format("{}branches: {:.4g} ({})", branch.diverging ? "diverging " : "",
                                branch.count, branch.name));
  return lines;
}

double height_of(const model::Loop& loop) {
  double height = line_height * double(1 + lines_of(loop).size()) + 2. * padding;
  for (const auto& inner : loop.loops) height += height_of(inner) + padding;
  return height;
}

double width_of(const model::Loop& loop) {
  double width = text_width;
  for (const auto& inner : loop.loops) width = std::max(width, width_of(inner));
  return width + back_edge + 2. * padding;
}

/// The way back to the beginning of a loop, along the right side of its box.
void draw_back_edge(SvgCanvas& canvas, double x, double y, double height,
                    const model::TripCount& trips) {
  const double right = x + back_edge - 24., end = y + height - padding, begin = y + padding;
  const std::array<SvgPoint, 4> way{{{x, end}, {right, end}, {right, begin}, {x, begin}}};
  canvas.polyline(way, {.stroke = loop_color, .stroke_width = 2.});
  const std::array<SvgPoint, 3> tip{{{x + 9., begin - 6.}, {x, begin}, {x + 9., begin + 6.}}};
  canvas.polyline(tip, {.stroke = loop_color, .stroke_width = 2.});
  const double middle = 0.5 * (begin + end);
  canvas.text({right - 8., middle + 2.}, fmt::format("x {:.4g}", model::mean(trips)),
              {.anchor = "end", .color = loop_color});
  if (trips.varies())
    canvas.text({right - 8., middle + 16.}, "mean",
                {.size = 11., .anchor = "end", .color = loop_color});
}

void draw_loop(SvgCanvas& canvas, const model::Loop& loop, SvgPoint at, double width) {
  const double height = height_of(loop);
  canvas.rectangle(at, width, height, {.stroke = loop_color, .stroke_width = 1.5, .fill = "white"});
  double y = at.y + padding + 14.;
  canvas.text({at.x + padding, y}, loop.name.empty() ? "loop" : loop.name, {.bold = true});
  for (const auto& line : lines_of(loop)) canvas.text({at.x + padding, y += line_height}, line);
  y += padding;
  for (const auto& inner : loop.loops) {
    draw_loop(canvas, inner, {at.x + padding, y}, width - back_edge - 2. * padding);
    y += height_of(inner) + padding;
  }
  draw_back_edge(canvas, at.x + width - back_edge, at.y, height, loop.trip_count);
}

/// An arrow between the host or the memory, at the left, and the loops.
void draw_stream(SvgCanvas& canvas, const model::Stream& stream, double y) {
  const bool memory = stream.path == model::Path::memory;
  const bool to_device = stream.direction == model::Direction::to_device;
  const auto color = memory ? memory_color : link_color;
  canvas.line({30., y}, {left - 20., y}, {.stroke = color, .stroke_width = 2.});
  const double tip = to_device ? left - 20. : 30., back = to_device ? -10. : 10.;
  const std::array<SvgPoint, 3> head{{{tip + back, y - 6.}, {tip, y}, {tip + back, y + 6.}}};
  canvas.polyline(head, {.stroke = color, .stroke_width = 2.});
  std::string amount;
  if (stream.bytes_per_item > 0.)
    amount = fmt::format("{:.4g} bytes per item", stream.bytes_per_item);
  if (stream.bytes > 0.)
    amount += fmt::format("{}{:.4g} bytes", amount.empty() ? "" : " + ", stream.bytes);
  canvas.text({44., y - 8.}, fmt::format("{} ({})", stream.name, memory ? "memory" : "link"),
              {.color = color});
  canvas.text({44., y + 18.}, amount, {.size = 12., .color = color});
}

}  // namespace

std::string loop_flow(const model::Application& application) {
  double width = 0., height = 0.;
  for (const auto& loop : application.loops) {
    width = std::max(width, width_of(loop));
    height += height_of(loop) + padding;
  }
  const double streams = 64. * double(application.streams.size());
  SvgCanvas canvas(left + width + 30., top + std::max(height, streams) + 20.);
  canvas.text({30., 40.}, application.name, {.size = 22., .bold = true});
  canvas.text({30., 66.},
              fmt::format("{:g} work items, {:.5g} instructions each", application.items,
                          model::totals_of(application).instructions));
  double y = top;
  for (const auto& loop : application.loops) {
    draw_loop(canvas, loop, {left, y}, width);
    y += height_of(loop) + padding;
  }
  y = top + 30.;
  for (const auto& stream : application.streams) {
    draw_stream(canvas, stream, y);
    y += 64.;
  }
  return canvas.document();
}

}  // namespace forecast
