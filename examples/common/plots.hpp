// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Panels and series of plots, as docs/guide/reports.md describes them.

#include <common/report.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/efficiency.hpp>
#include <trackplex/validation/pulls.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trackplex::program {

Json plot(const std::string& name, const std::string& title, int columns, Json panels);

Json panel(const std::string& x, const std::string& y, Json series);

/// The coordinates of a series: points, maybe with errors, or lines, each a list of points.
struct Coordinates {
  Json x = Json::array(), y = Json::array();
  Json error{};  ///< numbers, or [below, above] pairs

  void add(double at_x, double at_y);
  void add(double at_x, double at_y, const Json& its_error);
  void add(const std::array<double, 2>& point) { add(point[0], point[1]); }
  void add_line(const Coordinates& points);
  void add_segment(double x0, double y0, double x1, double y1);
  void add_segment(const std::array<double, 2>& from, const std::array<double, 2>& to);

  bool empty() const { return x.empty(); }

  Json series(const std::string& label, const char* style, std::optional<int> color = {}) const;
  /// Segments that are drawn pale.
  Json background(const std::string& label) const;
};

/// A dashed line: the expectation.
Json reference_line(const std::string& label, const Json& x, const Json& y);

/// Series number i of n stands so far from the middle of a bin, in its width: none hides another.
double shift_of_series(std::size_t i, std::size_t n);

/// With the intervals of one standard deviation, in bins with at least 1 % of the entries of the
/// fullest one: others would only stretch the axis. `shift`: see shift_of_series.
Coordinates fractions(const validation::BinEdges& bins,
                      const std::vector<validation::Efficiency>& values, double shift = 0.);

/// Entries of equal bins, and those outside.
struct Histogram {
  double low, high;
  std::vector<std::uint64_t> bins;
  std::uint64_t below = 0, above = 0;

  Histogram(double from, double to, std::size_t n) : low(from), high(to), bins(n) {}

  double width() const { return (high - low) / double(bins.size()); }
  void add(double value);

  Json to_json() const;
  Json series(const std::string& label) const;
};

/// Mean and width of pulls.
Json to_json(const validation::Pulls& pulls);

/// Moments and distribution of pulls.
struct PullHistogram {
  validation::Pulls moments;
  Histogram counts{-5., 5., 50};

  void add(double pull);
  /// As many entries of a unit Gaussian.
  Json expected() const;
};

}  // namespace trackplex::program
