// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/program/svg.hpp>

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::program {

/// The range of a coordinate, and its name with the unit.
struct AxisRange {
  double low = 0.;
  double high = 1.;
  std::string label;
  bool logarithmic = false;  ///< then both ends are above 0
};

/// Round tick positions inside the range, about `wanted` of them: steps of 1, 2 or 5 times a power
/// of 10.
inline std::vector<double> tick_positions(double low, double high, int wanted = 8) {
  std::vector<double> ticks;
  if (!(high > low)) return ticks;
  const double raw = (high - low) / wanted;
  const double power = std::pow(10., std::floor(std::log10(raw)));
  double step = 10. * power;
  for (const double factor : {5., 2., 1.})
    if (factor * power >= raw) step = factor * power;
  const double tolerance = 1e-9 * step;
  for (double i = std::ceil((low - tolerance) / step); i * step <= high + tolerance; i += 1.)
    ticks.push_back(i == 0. ? 0. : i * step);
  return ticks;
}

/// 1, 2 and 5 times the powers of 10 that are inside the range; both ends are above 0.
inline std::vector<double> logarithmic_ticks(double low, double high) {
  std::vector<double> ticks;
  if (!(high > low && low > 0.)) return ticks;
  const double tolerance = 1. + 1e-9;
  for (int power = int(std::floor(std::log10(low))); power <= std::log10(high) + 1e-9; ++power)
    for (const double factor : {1., 2., 5.}) {
      const double tick = factor * std::pow(10., power);
      if (tick * tolerance >= low && tick <= high * tolerance) ticks.push_back(tick);
    }
  return ticks;
}

inline std::vector<double> tick_positions(const AxisRange& axis) {
  return axis.logarithmic ? logarithmic_ticks(axis.low, axis.high)
                          : tick_positions(axis.low, axis.high);
}

/// A frame on a canvas with two axes, linear or logarithmic, ticks, labels and grid lines.
class Axes {
 public:
  /// The frame's upper left corner and size on the canvas, pixels.
  Axes(SvgPoint corner, double width, double height, AxisRange horizontal, AxisRange vertical)
      : corner_(corner),
        width_(width),
        height_(height),
        horizontal_(std::move(horizontal)),
        vertical_(std::move(vertical)) {}

  /// Where a point of the data lies on the canvas.
  SvgPoint operator()(double h, double v) const {
    return {corner_.x + width_ * fraction(horizontal_, h),
            corner_.y + height_ * (1. - fraction(vertical_, v))};
  }

  bool contains(double h, double v) const {
    return h >= horizontal_.low && h <= horizontal_.high && v >= vertical_.low &&
           v <= vertical_.high;
  }

  const AxisRange& horizontal() const { return horizontal_; }
  const AxisRange& vertical() const { return vertical_; }

  /// Begins a part of the drawing that is seen inside the frame only.
  void clip(SvgCanvas& canvas) const { canvas.begin_clip(corner_, width_, height_); }

  void draw_grid(SvgCanvas& canvas) const {
    const SvgStyle style{.stroke = "#e4e4e4"};
    for (const double tick : tick_positions(horizontal_))
      canvas.line((*this)(tick, vertical_.low), (*this)(tick, vertical_.high), style);
    for (const double tick : tick_positions(vertical_))
      canvas.line((*this)(horizontal_.low, tick), (*this)(horizontal_.high, tick), style);
  }

  void draw_frame(SvgCanvas& canvas) const {
    const SvgStyle style{.stroke = "#444444"};
    canvas.rectangle(corner_, width_, height_, style);
    for (const double tick : tick_positions(horizontal_)) {
      const auto at = (*this)(tick, vertical_.low);
      canvas.line(at, {at.x, at.y + 6.}, style);
      canvas.text({at.x, at.y + 22.}, fmt::format("{:.6g}", tick), {.anchor = "middle"});
    }
    for (const double tick : tick_positions(vertical_)) {
      const auto at = (*this)(horizontal_.low, tick);
      canvas.line(at, {at.x - 6., at.y}, style);
      canvas.text({at.x - 10., at.y + 5.}, fmt::format("{:.6g}", tick), {.anchor = "end"});
    }
    canvas.text({corner_.x + width_ / 2., corner_.y + height_ + 46.}, horizontal_.label,
                {.size = 16., .anchor = "middle"});
    canvas.text({corner_.x - 56., corner_.y + height_ / 2.}, vertical_.label,
                {.size = 16., .anchor = "middle", .rotation = -90.});
  }

 private:
  /// 0 at the low end of the axis, 1 at the high one.
  static double fraction(const AxisRange& axis, double value) {
    if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
  }

  SvgPoint corner_;
  double width_;
  double height_;
  AxisRange horizontal_;
  AxisRange vertical_;
};

}  // namespace trackplex::program
