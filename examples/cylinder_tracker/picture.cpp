// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picture.hpp"

#include <trackplex/program/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace cylinder_tracker {

using trackplex::program::Axes;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;
using trackplex::validation::BinEdges;
using trackplex::validation::Efficiency;

namespace {

constexpr double left = 80., top = 110., panel_width = 420., panel_height = 300.,
                 panel_distance = 540.;
constexpr std::size_t shown = 0;  ///< definition D1

/// The lowest value of all curves decides how much of the axis is shown.
double lowest(const Results& results) {
  double low = 1.;
  for (const auto& strategy : results.strategies) {
    const auto& quality = strategy.quality[shown];
    for (const auto* list : {&quality.efficiency_pt, &quality.efficiency_eta})
      for (const auto& bin : *list)
        if (bin.total > 0) low = std::min(low, bin.interval().lower);
  }
  return std::clamp(low - 0.02, 0., 0.9);
}

/// Points in the middle of the bins, with their errors; curves stand a little aside of each other.
void draw_curve(SvgCanvas& canvas, const Axes& axes, const BinEdges& bins,
                const std::vector<Efficiency>& values, std::string_view color, double shift) {
  for (std::size_t bin = 0; bin < bins.size(); ++bin) {
    if (values[bin].total == 0) continue;
    const double at = 0.5 * (bins.edges[bin] + bins.edges[bin + 1]);
    const auto interval = values[bin].interval();
    auto low = axes(at, interval.lower), high = axes(at, interval.upper);
    auto point = axes(at, values[bin].value());
    for (auto* p : {&low, &high, &point}) p->x += shift;
    canvas.line(low, high, {.stroke = color, .stroke_width = 1.5});
    canvas.circle(point, 3.5, {.stroke = "none", .fill = color});
  }
}

void draw_panel(SvgCanvas& canvas, SvgPoint corner, const Results& results, const BinEdges& bins,
                std::vector<Efficiency> trackplex::validation::TrackingQualityResult::*values,
                const std::string& label) {
  const Axes axes(corner, panel_width, panel_height, {bins.edges.front(), bins.edges.back(), label},
                  {lowest(results), 1.005, "efficiency"});
  axes.draw_grid(canvas);
  axes.clip(canvas);
  double shift = -4. * double(results.strategies.size() - 1) / 2.;
  for (const auto& strategy : results.strategies) {
    draw_curve(canvas, axes, bins, strategy.quality[shown].*values, strategy.strategy.color, shift);
    shift += 4.;
  }
  canvas.end_clip();
  axes.draw_frame(canvas);
}

}  // namespace

std::string picture(const Results& results) {
  SvgCanvas canvas(left + panel_distance + panel_width + 40., top + panel_height + 80.);
  canvas.text(
      {left, 40.},
      fmt::format("Track building: {} particles in {} events", results.particles, results.events),
      {.size = 22., .bold = true});
  double x = left;
  for (const auto& strategy : results.strategies) {
    const auto& quality = strategy.quality[shown];
    canvas.circle({x + 6., 68.}, 6., {.stroke = "none", .fill = strategy.strategy.color});
    canvas.text({x + 20., 73.},
                fmt::format("{}: {:.2f} %, fakes {:.2f} %", strategy.strategy.name,
                            100. * quality.efficiency.value(), 100. * quality.fake_rate().value()));
    x += 300.;
  }
  if (results.particles == 0) return canvas.document();
  using Quality = trackplex::validation::TrackingQualityResult;
  draw_panel(canvas, {left, top}, results, results.bins.pt, &Quality::efficiency_pt, "pT [GeV]");
  draw_panel(canvas, {left + panel_distance, top}, results, results.bins.eta,
             &Quality::efficiency_eta, "eta");
  return canvas.document();
}

}  // namespace cylinder_tracker
