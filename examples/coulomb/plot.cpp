// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plot.hpp"

#include <trackplex/program/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace coulomb {

using trackplex::program::Axes;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;

namespace {

constexpr std::string_view our_color = "#1f6fb4";
constexpr std::string_view their_color = "#d9731a";
constexpr double panel_width = 560., panel_height = 360., ratio_height = 130.;
constexpr double left = 90., top = 110., column = 670., below = 70.;

/// Heights of the bins of a distribution, and their relative errors.
struct Heights {
  std::vector<double> density, error;

  template <class Counts>
  Heights(const Counts& counts, double histories, double width) {
    for (const auto count : counts) {
      density.push_back(double(count) / (histories * width));
      error.push_back(count > 0 ? 1. / std::sqrt(double(count)) : 0.);
    }
  }
  std::size_t size() const { return density.size(); }
};

/// A panel of one tally.
struct Panel {
  const montecarlo::AxisRange& axis;
  Heights ours;
  const Heights* theirs;  ///< or none
  std::string title, label;

  double center(std::size_t bin) const {
    return 0.5 * (axis.edge(int(bin)) + axis.edge(int(bin) + 1));
  }
};

/// Powers of ten around all heights.
std::pair<double, double> decades(const Panel& panel) {
  double low = 1e300, high = 0.;
  const auto look = [&](const Heights& heights) {
    for (const double density : heights.density) {
      if (!(density > 0.)) continue;
      low = std::min(low, density);
      high = std::max(high, density);
    }
  };
  look(panel.ours);
  if (panel.theirs) look(*panel.theirs);
  if (high == 0.) return {-1., 1.};
  return {std::floor(std::log10(low)), std::ceil(std::log10(high) + 0.05)};
}

/// A stair of the heights; empty bins interrupt it.
void draw_stair(SvgCanvas& canvas, const Axes& axes, const Panel& panel) {
  std::vector<SvgPoint> line;
  const auto finish = [&] {
    canvas.polyline(line, {.stroke = our_color, .stroke_width = 1.6});
    line.clear();
  };
  for (std::size_t i = 0; i < panel.ours.size(); ++i) {
    if (!(panel.ours.density[i] > 0.)) {
      if (!line.empty()) finish();
      continue;
    }
    const double height = std::log10(panel.ours.density[i]);
    line.push_back(axes(panel.axis.edge(int(i)), height));
    line.push_back(axes(panel.axis.edge(int(i) + 1), height));
  }
  if (!line.empty()) finish();
}

void draw_distribution(SvgCanvas& canvas, SvgPoint at, const Panel& panel) {
  const auto [low, high] = decades(panel);
  const Axes axes(at, panel_width, panel_height,
                  {panel.axis.low, panel.axis.high, panel.theirs ? "" : panel.label},
                  {low, high, "log10 of the density"});
  axes.draw_grid(canvas);
  axes.clip(canvas);
  draw_stair(canvas, axes, panel);
  for (std::size_t i = 0; panel.theirs && i < panel.theirs->size(); ++i)
    if (panel.theirs->density[i] > 0.)
      canvas.circle(axes(panel.center(i), std::log10(panel.theirs->density[i])), 2.,
                    {.stroke = "none", .fill = their_color});
  canvas.end_clip();
  axes.draw_frame(canvas);
  canvas.text({at.x, at.y - 10.}, panel.title, {.size = 16.});
}

/// Ours over theirs with the error of both, where there are at least some counts.
void draw_ratio(SvgCanvas& canvas, SvgPoint at, const Panel& panel) {
  const Axes axes(at, panel_width, ratio_height, {panel.axis.low, panel.axis.high, panel.label},
                  {0.9, 1.1, "ratio"});
  axes.draw_grid(canvas);
  axes.clip(canvas);
  canvas.line(axes(panel.axis.low, 1.), axes(panel.axis.high, 1.), {.stroke = their_color});
  for (std::size_t i = 0; i < panel.ours.size(); ++i) {
    const double ours = panel.ours.density[i], theirs = panel.theirs->density[i];
    if (!(ours > 0.) || !(theirs > 0.)) continue;
    const double ratio = ours / theirs;
    const double error = ratio * std::hypot(panel.ours.error[i], panel.theirs->error[i]);
    canvas.line(axes(panel.center(i), ratio - error), axes(panel.center(i), ratio + error),
                {.stroke = our_color});
    canvas.circle(axes(panel.center(i), ratio), 1.6, {.stroke = "none", .fill = our_color});
  }
  canvas.end_clip();
  axes.draw_frame(canvas);
}

std::string comparison_of(const Results& results, const std::string& tally) {
  for (const auto& comparison : results.comparisons)
    if (comparison.tally == tally)
      return fmt::format(", p = {:.3g} (Kolmogorov-Smirnov)",
                         comparison.kolmogorov_smirnov.p_value);
  return {};
}

void draw_legend(SvgCanvas& canvas, const Results& results, bool has_references) {
  const auto& s = results.simulation;
  canvas.text(
      {left, 36.},
      fmt::format("{}, {} MeV electrons after {} mean free paths: {} histories", s.material.name,
                  s.scattering.kinetic_energy, s.limit, results.counts.histories.size()),
      {.size = 22., .bold = true});
  canvas.line({left, 60.}, {left + 26., 60.}, {.stroke = our_color, .stroke_width = 2.});
  canvas.text({left + 34., 65.}, "coulomb");
  if (!has_references) return;
  canvas.circle({left + 133., 60.}, 4., {.stroke = "none", .fill = their_color});
  canvas.text({left + 146., 65.}, "reference");
}

}  // namespace

std::string plot(const Results& results, const std::map<std::string, Reference>& references) {
  const bool has_references =
      references.contains("longitudinal") || references.contains("transverse");
  SvgCanvas canvas(left + column + panel_width + 40.,
                   top + panel_height + below + (has_references ? ratio_height + 40. : 0.));
  draw_legend(canvas, results, has_references);
  const double histories = std::max(1., double(results.counts.histories.size()));
  for (int i = 0; i < 2; ++i) {
    const auto& tally = results.tallies[std::size_t(i)];
    const auto& name = tally.description.name;
    const auto& axis = tally.description.axes.front().range;
    const double width = (axis.high - axis.low) / axis.bins;
    const auto reference = references.find(name);
    std::optional<Heights> theirs;
    if (reference != references.end()) {
      double counts = 0.;
      for (const auto count : reference->second.table.counts) counts += double(count);
      theirs.emplace(reference->second.table.counts, counts, width);
    }
    const Panel panel{axis, Heights(tally.bins(), histories, width), theirs ? &*theirs : nullptr,
                      name + comparison_of(results, name),
                      i == 0 ? "z / limit" : "distance from the axis / limit"};
    const SvgPoint at{left + column * i, top};
    draw_distribution(canvas, at, panel);
    if (theirs) draw_ratio(canvas, {at.x, at.y + panel_height + 40.}, panel);
  }
  return canvas.document();
}

}  // namespace coulomb
