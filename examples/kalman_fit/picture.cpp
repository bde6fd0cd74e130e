// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "picture.hpp"

#include <trackplex/program/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

namespace kalman_fit {

using trackplex::program::Axes;
using trackplex::program::AxisRange;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;
using trackplex::program::SvgStyle;

namespace {

constexpr std::string_view fitted_color = "#1f6fb4";
constexpr std::string_view smoothed_color = "#d9731a";
constexpr std::string_view residual_color = "#4b8b3b";
constexpr std::string_view curve_color = "#222222";

constexpr double panel_width = 250., panel_height = 190., column = 340., row = 310.;
constexpr double left = 90., top = 120.;

SvgPoint corner(int i, int j) { return {left + column * j, top + row * i}; }

/// Fewer, wider bins.
Counts merged(const Counts& counts, std::size_t bins) {
  Counts result(counts.low, counts.high, bins);
  const std::size_t factor = counts.bins.size() / bins;
  for (std::size_t i = 0; i < factor * bins; ++i) result.bins[i / factor] += counts.bins[i];
  return result;
}

/// Bars from zero to the counts.
void draw_counts(SvgCanvas& canvas, const Axes& axes, const Counts& counts,
                 std::string_view color) {
  for (std::size_t i = 0; i < counts.bins.size(); ++i) {
    const double center = counts.center(i), half = 0.5 * counts.width();
    const auto upper = axes(center - half, double(counts.bins[i]));
    const auto lower = axes(center + half, 0.);
    canvas.rectangle(upper, lower.x - upper.x, lower.y - upper.y,
                     {.stroke = color, .stroke_width = 0.6, .fill = color, .opacity = 0.45});
  }
}

double highest(const Counts& counts) {
  std::uint64_t most = 1;
  for (const auto bin : counts.bins) most = std::max(most, bin);
  return double(most);
}

void draw_pulls(SvgCanvas& canvas, SvgPoint at, const PullCounts& found, const std::string& name,
                std::string_view color) {
  const auto& counts = found.counts;
  const double entries = double(found.pulls.count());
  const auto normal = [&](double pull) {
    return entries * counts.width() * std::exp(-0.5 * pull * pull) /
           std::sqrt(2. * std::numbers::pi);
  };
  const Axes axes(at, panel_width, panel_height, {counts.low, counts.high, "pull of " + name},
                  {0., 1.15 * std::max(highest(counts), normal(0.)), ""});
  axes.draw_grid(canvas);
  axes.clip(canvas);
  draw_counts(canvas, axes, counts, color);
  std::vector<SvgPoint> curve;
  for (int i = 0; i <= 100; ++i) {
    const double pull = std::lerp(counts.low, counts.high, i / 100.);
    curve.push_back(axes(pull, normal(pull)));
  }
  canvas.polyline(curve, {.stroke = curve_color, .stroke_width = 1.5});
  canvas.end_clip();
  axes.draw_frame(canvas);
  canvas.text({at.x, at.y - 8.},
              fmt::format("mean {:+.3f}, width {:.3f}", found.pulls.mean(), found.pulls.sigma()));
}

void draw_probability(SvgCanvas& canvas, SvgPoint at, const Results& results) {
  const auto counts = merged(results.probability, 50);
  const Axes axes(at, panel_width, panel_height, {0., 1., "probability of chi2"},
                  {0., 1.3 * highest(counts), ""});
  axes.draw_grid(canvas);
  axes.clip(canvas);
  draw_counts(canvas, axes, counts, fitted_color);
  const double flat = double(results.fitted_tracks) / double(counts.bins.size());
  canvas.line(axes(0., flat), axes(1., flat), {.stroke = curve_color, .stroke_width = 1.5});
  canvas.end_clip();
  axes.draw_frame(canvas);
  canvas.text({at.x, at.y - 8.}, fmt::format("flat with p = {:.3g}", results.flatness().p_value));
}

void draw_resolution(SvgCanvas& canvas, SvgPoint at, const Results& results) {
  double most = 0.;
  for (const auto& bin : results.resolution)
    most = std::max({most, 100. * bin.fitted.relative(), 100. * bin.smoothed.relative()});
  const auto& bins = results.resolution;
  const Axes axes(at, panel_width + column, panel_height,
                  {bins.front().low, bins.back().high, "pT [GeV]"},
                  {0., most > 0. ? 1.2 * most : 1., "[%]"});
  axes.draw_grid(canvas);
  axes.clip(canvas);
  const auto draw = [&](const Resolution ResolutionBin::*which, double shift, double line_width,
                        std::string_view color) {
    for (const auto& bin : bins) {
      const auto& resolution = bin.*which;
      if (resolution.tracks == 0) continue;
      const double value = 100. * resolution.relative();
      const auto begin = axes(bin.low, value), end = axes(bin.high, value);
      canvas.line(begin, end, {.stroke = color, .stroke_width = line_width});
      canvas.circle({0.5 * (begin.x + end.x) + shift, begin.y}, 4.,
                    {.stroke = "none", .fill = color});
    }
  };
  draw(&ResolutionBin::fitted, -6., 5., fitted_color);
  draw(&ResolutionBin::smoothed, 6., 2., smoothed_color);
  canvas.end_clip();
  axes.draw_frame(canvas);
  canvas.text({at.x, at.y - 8.}, "resolution of 1/pT");
}

void draw_legend(SvgCanvas& canvas, const Results& results) {
  double x = left;
  const auto entry = [&](std::string_view color, const std::string& text, double width) {
    canvas.rectangle({x, 56.}, 18., 14., {.stroke = "none", .fill = color, .opacity = 0.6});
    canvas.text({x + 26., 68.}, text);
    x += width;
  };
  entry(fitted_color, "fitted, last layer", 190.);
  entry(smoothed_color, "smoothed, first layer", 215.);
  entry(residual_color, "smoothed residuals, first layer", 285.);
  canvas.line({x, 63.}, {x + 26., 63.}, {.stroke = curve_color, .stroke_width = 1.5});
  canvas.text({x + 34., 68.}, "normal or flat");
  canvas.text({left, 36.},
              fmt::format("Kalman fit and smoother: {} tracks on {} layers", results.fitted_tracks,
                          results.smoothed.size()),
              {.size = 22., .bold = true});
}

}  // namespace

std::string picture(const Results& results) {
  SvgCanvas canvas(left + 4. * column + panel_width + 40., top + 2. * row + panel_height + 70.);
  draw_legend(canvas, results);
  if (results.fitted_tracks == 0) return canvas.document();
  const auto& first = results.smoothed.front();
  for (int i = 0; i < 5; ++i) {
    const auto c = std::size_t(i);
    draw_pulls(canvas, corner(0, i), results.fitted[c], coordinates[c].name, fitted_color);
    draw_pulls(canvas, corner(1, i), first.states[c], coordinates[c].name, smoothed_color);
  }
  for (int i = 0; i < 2; ++i) {
    const auto c = std::size_t(i);
    draw_pulls(canvas, corner(2, i), first.residuals[c], coordinates[c].name, residual_color);
  }
  if (results.degrees_of_freedom > 0) draw_probability(canvas, corner(2, 2), results);
  draw_resolution(canvas, corner(2, 3), results);
  return canvas.document();
}

}  // namespace kalman_fit
