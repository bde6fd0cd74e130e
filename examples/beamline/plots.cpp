// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plots.hpp"

#include "output.hpp"
#include "results.hpp"

#include <trackplex/program/axes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

namespace beamline {

namespace beam = trackplex::beam;
using trackplex::program::Axes;
using trackplex::program::SvgCanvas;
using trackplex::program::SvgPoint;

namespace {

constexpr std::string_view x_color = "#1f6fb4";
constexpr std::string_view y_color = "#d9731a";
constexpr std::string_view dispersion_color = "#4b8b3b";
constexpr std::string_view quadrupole_color = "#b0413e";
constexpr std::string_view bend_color = "#5b7fb9";
constexpr std::string_view other_color = "#777777";
constexpr std::string_view space_charge_color = "#c9a227";

constexpr double width = 1100., left = 95., top = 150.;

/// How an element is drawn: a box between two heights, in those of a strip of 1 above and below
/// its middle.
struct Symbol {
  double low = 0., high = 0.;
  std::string_view color{};
};

Symbol quadrupole(double k1) {
  return k1 > 0. ? Symbol{0., 1., quadrupole_color} : Symbol{-1., 0., quadrupole_color};
}
Symbol sextupole(double k2) {
  return k2 > 0. ? Symbol{0., 0.6, dispersion_color} : Symbol{-0.6, 0., dispersion_color};
}

/// Drifts have none.
struct SymbolOf {
  Symbol operator()(const beam::Quadrupole& e) const { return quadrupole(e.k1); }
  Symbol operator()(const beam::ThickQuadrupole& e) const { return quadrupole(e.k1); }
  Symbol operator()(const beam::Sextupole& e) const { return sextupole(e.k2); }
  Symbol operator()(const beam::ThickSextupole& e) const { return sextupole(e.k2); }
  Symbol operator()(const beam::Bend&) const { return {-0.5, 0.5, bend_color}; }
  Symbol operator()(const beam::Kicker&) const { return {-0.3, 0.3, other_color}; }
  Symbol operator()(const beam::Collimator&) const { return {-0.8, 0.8, "#222222"}; }
  Symbol operator()(const beam::SpaceChargeDrift& e) const {
    return e.space_charge ? Symbol{-0.15, 0.15, space_charge_color} : Symbol{};
  }
  Symbol operator()(const auto&) const { return {}; }
};

bool has_bends(const beam::BeamLine& line) {
  return std::any_of(line.begin(), line.end(), [](const beam::Element& element) {
    return std::holds_alternative<beam::Bend>(element.kind);
  });
}

void draw_elements(SvgCanvas& canvas, const beam::BeamLine& line, const Axes& axes, double middle) {
  constexpr double height = 22.;
  canvas.line({axes(axes.horizontal().low, 0.).x, middle},
              {axes(axes.horizontal().high, 0.).x, middle}, {.stroke = other_color});
  double position = 0.;
  for (const auto& element : line) {
    const double length = beam::length_of(element);
    const double begin = axes(position, 0.).x, end = axes(position += length, 0.).x;
    const Symbol symbol = std::visit(SymbolOf{}, element.kind);
    if (symbol.color.empty()) continue;
    canvas.rectangle({begin, middle - height * symbol.high}, std::max(end - begin, 1.),
                     height * (symbol.high - symbol.low), {.stroke = "none", .fill = symbol.color});
  }
}

void draw_legend(SvgCanvas& canvas, double x, double y, std::string_view color,
                 const std::string& text) {
  canvas.line({x, y - 5.}, {x + 26., y - 5.}, {.stroke = color, .stroke_width = 3.});
  canvas.text({x + 34., y}, text);
}

struct Curve {
  std::string_view color;
  std::string name;
  std::vector<SvgPoint> points;  ///< of the data
};

void draw_curves(SvgCanvas& canvas, const Axes& axes, const std::vector<Curve>& curves) {
  axes.draw_grid(canvas);
  axes.clip(canvas);
  for (const auto& curve : curves) {
    std::vector<SvgPoint> points;
    for (const auto& point : curve.points) points.push_back(axes(point.x, point.y));
    canvas.polyline(points, {.stroke = curve.color, .stroke_width = 2.});
  }
  canvas.end_clip();
  axes.draw_frame(canvas);
}

/// A value of each row over the place.
template <class Value>
Curve curve_of(const std::vector<MomentRow>& rows, std::string_view color, std::string name,
               const Value& value) {
  Curve curve{color, std::move(name), {}};
  const double begin = rows.front().moments.reference.path_length;
  for (const auto& row : rows)
    if (row.moments.number > 0.)
      curve.points.push_back({row.moments.reference.path_length - begin, value(row.moments)});
  return curve;
}

/// From 0, or from the smallest value if one is below, with a little margin.
trackplex::program::AxisRange range_of(const std::vector<Curve>& curves, std::string label) {
  double low = 0., high = 0.;
  for (const auto& curve : curves)
    for (const auto& point : curve.points) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
    }
  if (!(high > low)) high = low + 1.;
  const double margin = 0.06 * (high - low);
  return {low < 0. ? low - margin : 0., high + margin, std::move(label)};
}

void draw_title(SvgCanvas& canvas, const std::string& text) {
  canvas.text({left, 36.}, text, {.size = 22., .bold = true});
}

}  // namespace

std::string size_plot(const Input& input, const std::vector<MomentRow>& rows) {
  const std::vector<Curve> sizes = {
      curve_of(rows, x_color, "sigma x", [](const auto& m) { return 1e3 * m.sigma(beam::x); }),
      curve_of(rows, y_color, "sigma y", [](const auto& m) { return 1e3 * m.sigma(beam::y); })};
  constexpr double height = 330., dispersion_height = 150., gap = 80.;
  const bool bends = has_bends(input.line);
  SvgCanvas canvas(left + width + 40., top + height + (bends ? gap + dispersion_height : 0.) + 70.);
  draw_title(canvas, fmt::format("Line {}: {:.0f} particles", input.line_name,
                                 rows.front().moments.number));
  draw_legend(canvas, left, 66., x_color, sizes[0].name);
  draw_legend(canvas, left + 130., 66., y_color, sizes[1].name);
  const double end = input.length > 0. ? input.length : 1.;
  const Axes upper({left, top}, width, height, {0., end, "s [m]"},
                   range_of(sizes, "rms size [mm]"));
  draw_curves(canvas, upper, sizes);
  draw_elements(canvas, input.line, upper, top - 40.);
  if (!bends) return canvas.document();
  const std::vector<Curve> dispersions = {
      curve_of(rows, dispersion_color, "dispersion of x",
               [](const auto& m) { return 1e3 * m.betatron_optics(beam::x).dispersion; })};
  draw_legend(canvas, left + 260., 66., dispersion_color, dispersions[0].name);
  const Axes lower({left, top + height + gap}, width, dispersion_height, {0., end, "s [m]"},
                   range_of(dispersions, "dispersion [mm]"));
  draw_curves(canvas, lower, dispersions);
  return canvas.document();
}

std::string profile_plot(const Input& input, const Profile& profile) {
  Curve current{x_color, "current", {}}, change{quadrupole_color, "energy change", {}};
  for (std::size_t i = 0; i < profile.time.size(); ++i) {
    const double time = 1e12 * profile.time[i];
    current.points.push_back({time, profile.current[i]});
    change.points.push_back({time, 1e-3 * energy_change(profile.voltage[i])});
  }
  constexpr double height = 260., gap = 80.;
  SvgCanvas canvas(left + width + 40., top + 2. * height + gap + 70.);
  draw_title(canvas,
             fmt::format("Longitudinal space charge in {}", input.line[profile.element].name));
  canvas.text(
      {left, 66.},
      fmt::format("The last step, {:.4g} m: beam radius {:.4g} mm, peak current {:.4g} A; "
                  "the head is on the left",
                  profile.step.length, 1e3 * profile.step.radius, profile.step.peak_current));
  draw_legend(canvas, left, 96., x_color, current.name);
  draw_legend(canvas, left + 130., 96., quadrupole_color, change.name);
  const double begin = current.points.front().x, end = current.points.back().x;
  const std::string label = "time beside the reference particle [ps]";
  const Axes upper({left, top}, width, height, {begin, end, label},
                   range_of({current}, "current [A]"));
  draw_curves(canvas, upper, {current});
  const Axes lower({left, top + height + gap}, width, height, {begin, end, label},
                   range_of({change}, "energy change [keV]"));
  draw_curves(canvas, lower, {change});
  return canvas.document();
}

}  // namespace beamline
