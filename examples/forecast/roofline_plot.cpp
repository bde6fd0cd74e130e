// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "roofline_plot.hpp"

#include <trackplex/program/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace forecast {

namespace model = trackplex::perfmodel;
using trackplex::program::Axes;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;

namespace {

constexpr std::array<std::string_view, 8> colors{"#1f6fb4", "#d9731a", "#4b8b3b", "#a03070",
                                                 "#7a5a3a", "#5050b0", "#208888", "#707070"};
constexpr double left = 110., top = 80., width = 620., height = 420.;

/// Decades on both axes, of which the coordinates are logarithms.
void draw_decades(SvgCanvas& canvas, const Axes& axes) {
  const auto& h = axes.horizontal();
  const auto& v = axes.vertical();
  for (double x = h.low; x <= h.high; x += 1.) {
    canvas.line(axes(x, v.low), axes(x, v.high), {.stroke = "#e4e4e4"});
    const auto at = axes(x, v.low);
    canvas.text({at.x, at.y + 22.}, fmt::format("{:g}", std::pow(10., x)), {.anchor = "middle"});
  }
  for (double y = v.low; y <= v.high; y += 1.) {
    canvas.line(axes(h.low, y), axes(h.high, y), {.stroke = "#e4e4e4"});
    const auto at = axes(h.low, y);
    canvas.text({at.x - 10., at.y + 5.}, fmt::format("{:g}", std::pow(10., y - 9.)),
                {.anchor = "end"});
  }
  canvas.rectangle({left, top}, width, height, {.stroke = "#444444"});
  canvas.text({left + width / 2., top + height + 50.}, h.label, {.size = 16., .anchor = "middle"});
  canvas.text({left - 70., top + height / 2.}, v.label,
              {.size = 16., .anchor = "middle", .rotation = -90.});
}

void draw_device(SvgCanvas& canvas, const Axes& axes, const model::Forecast& f, double intensity,
                 std::string_view color) {
  const auto& roof = f.roofline;
  const auto at = [&](double x, double flops) { return axes(x, std::log10(flops)); };
  const auto& h = axes.horizontal();
  std::vector<SvgPoint> line{at(h.low, roof.peak)};
  if (roof.bandwidth > 0.) {
    const double ridge = std::log10(roof.peak / roof.bandwidth);
    line = {at(h.low, roof.bandwidth * std::pow(10., h.low)), at(ridge, roof.peak)};
  }
  line.push_back(at(h.high, roof.peak));
  canvas.polyline(line, {.stroke = color, .stroke_width = 2.});
  canvas.line(at(intensity, roof.flops / f.worst.total), at(intensity, roof.flops / f.best.total),
              {.stroke = color, .stroke_width = 1.5});
  canvas.circle(at(intensity, roof.flops / f.expected.total), 5., {.stroke = color, .fill = color});
}

}  // namespace

std::string roofline_plot(const Results& results) {
  std::vector<const model::Forecast*> shown;
  double low = HUGE_VAL, high = 0.;
  for (const auto& f : results.forecasts) {
    if (!f.roofline.known() || f.roofline.flops == 0.) continue;
    shown.push_back(&f);
    low = std::min(low, f.roofline.flops / f.worst.total);
    high = std::max(high, f.roofline.peak);
  }
  SvgCanvas canvas(left + width + 250., top + height + 80.);
  canvas.text({left, 44.}, "Roofline: " + results.application.name, {.size = 22., .bold = true});
  if (shown.empty()) {
    canvas.text({left, top}, "No peak rates of the devices or no operations by kind are known.");
    return canvas.document();
  }
  const Axes axes({left, top}, width, height, {-2., 4., "flop per byte of memory"},
                  {std::floor(std::log10(low)), std::ceil(std::log10(high)), "Gflop/s"});
  draw_decades(canvas, axes);
  axes.clip(canvas);
  const bool traffic = shown[0]->roofline.bytes > 0.;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    // without memory traffic there is no place on the axis: side by side at its end
    const double intensity = traffic
                                 ? std::clamp(std::log10(shown[i]->roofline.intensity()), -2., 4.)
                                 : 3.1 + 0.8 * double(i) / double(shown.size());
    draw_device(canvas, axes, *shown[i], intensity, colors[i % colors.size()]);
  }
  canvas.end_clip();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const double y = top + 20. + 24. * double(i);
    canvas.circle({left + width + 26., y - 5.}, 5.,
                  {.stroke = "none", .fill = colors[i % colors.size()]});
    canvas.text({left + width + 40., y}, shown[i]->device);
  }
  canvas.text({left + width + 20., top + 40. + 24. * double(shown.size())},
              "point: expected; line: worst to best", {.size = 12.});
  if (!traffic)
    canvas.text({left + width + 20., top + 60. + 24. * double(shown.size())},
                "no memory traffic: points at the end", {.size = 12.});
  return canvas.document();
}

}  // namespace forecast
