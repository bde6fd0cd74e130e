// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace trackplex::program {

/// A point on a canvas, in pixels from the upper left corner.
struct SvgPoint {
  double x = 0.;
  double y = 0.;
};

/// How a shape is drawn. Colours are those of SVG: "#1f77b4", "black", "none".
struct SvgStyle {
  std::string_view stroke = "black";
  double stroke_width = 1.;
  std::string_view fill = "none";
  double opacity = 1.;
};

/// How a text is set.
struct SvgText {
  double size = 14.;                  ///< pixels
  std::string_view anchor = "start";  ///< "start", "middle" or "end" of the text is at the point
  std::string_view color = "#222222";
  bool bold = false;
  double rotation = 0.;  ///< degrees, clockwise around the point
};

/// A picture of lines, circles, rectangles and texts, written as SVG. Nothing is checked against
/// the size; what lies outside is not seen.
class SvgCanvas {
 public:
  SvgCanvas(double width, double height, std::string_view background = "white")
      : width_(width), height_(height) {
    rectangle({0., 0.}, width, height, {.stroke = "none", .fill = background});
  }

  double width() const { return width_; }
  double height() const { return height_; }

  void line(SvgPoint a, SvgPoint b, const SvgStyle& style = {}) {
    add(R"(<line x1="{:.2f}" y1="{:.2f}" x2="{:.2f}" y2="{:.2f}"{}/>)", a.x, a.y, b.x, b.y,
        attributes(style));
  }
  void polyline(std::span<const SvgPoint> points, const SvgStyle& style = {}) {
    std::string list;
    for (const auto& p : points)
      fmt::format_to(std::back_inserter(list), "{:.2f},{:.2f} ", p.x, p.y);
    if (!list.empty()) list.pop_back();
    add(R"(<polyline points="{}"{}/>)", list, attributes(style));
  }
  void circle(SvgPoint center, double radius, const SvgStyle& style = {}) {
    add(R"(<circle cx="{:.2f}" cy="{:.2f}" r="{:.2f}"{}/>)", center.x, center.y, radius,
        attributes(style));
  }
  void rectangle(SvgPoint corner, double width, double height, const SvgStyle& style = {}) {
    add(R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"{}/>)", corner.x, corner.y,
        width, height, attributes(style));
  }
  void text(SvgPoint at, std::string_view content, const SvgText& style = {}) {
    const auto rotation = style.rotation == 0.
                              ? std::string()
                              : fmt::format(R"svg( transform="rotate({} {:.2f} {:.2f})")svg",
                                            style.rotation, at.x, at.y);
    add(R"(<text x="{:.2f}" y="{:.2f}" font-size="{}" text-anchor="{}" fill="{}"{}{}>{}</text>)",
        at.x, at.y, style.size, style.anchor, style.color,
        style.bold ? R"( font-weight="bold")" : "", rotation, escaped(content));
  }

  /// Clips to this rectangle until `end_clip`.
  void begin_clip(SvgPoint corner, double width, double height) {
    ++clips_;
    add(R"(<clipPath id="clip{}"><rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}"/></clipPath>)",
        clips_, corner.x, corner.y, width, height);
    add(R"svg(<g clip-path="url(#clip{})">)svg", clips_);
  }
  void end_clip() { add("</g>"); }

  /// The whole SVG document.
  std::string document() const {
    return fmt::format(
        R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">
{2}</svg>
)",
        width_, height_, elements_);
  }

  static std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c == '&')
        out += "&amp;";
      else if (c == '<')
        out += "&lt;";
      else if (c == '>')
        out += "&gt;";
      else if (c == '"')
        out += "&quot;";
      else
        out += c;
    }
    return out;
  }

 private:
  template <class... Values>
  void add(fmt::format_string<Values...> element, Values&&... values) {
    fmt::format_to(std::back_inserter(elements_), element, std::forward<Values>(values)...);
    elements_ += '\n';
  }
  static std::string attributes(const SvgStyle& style) {
    auto text = fmt::format(R"( stroke="{}" fill="{}")", style.stroke, style.fill);
    if (style.stroke != "none") text += fmt::format(R"( stroke-width="{}")", style.stroke_width);
    if (style.opacity != 1.) text += fmt::format(R"( opacity="{}")", style.opacity);
    return text;
  }

  double width_;
  double height_;
  int clips_ = 0;
  std::string elements_;
};

}  // namespace trackplex::program
