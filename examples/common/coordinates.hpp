// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>

#include <string>

namespace trackplex::program {

/// Points, or lines from one point to another, of a series of a plot.
struct Coordinates {
  Json x = Json::array(), y = Json::array();

  void add(double at_x, double at_y) {
    x.push_back(at_x);
    y.push_back(at_y);
  }
  void add_segment(double x0, double y0, double x1, double y1) {
    x.push_back({x0, x1});
    y.push_back({y0, y1});
  }

  bool empty() const { return x.empty(); }

  Json series(const std::string& label, const char* style, int color) const {
    return {{"label", label}, {"style", style}, {"x", x}, {"y", y}, {"color", color}};
  }
  /// Segments that are drawn pale.
  Json background(const std::string& label) const {
    constexpr int grey = 7;
    auto json = series(label, "segments", grey);
    json["background"] = true;
    return json;
  }
};

}  // namespace trackplex::program
