// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/plots.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace trackplex::program {

Json plot(const std::string& name, const std::string& title, int columns, Json panels) {
  return {{"name", name}, {"title", title}, {"columns", columns}, {"panels", std::move(panels)}};
}

Json panel(const std::string& x, const std::string& y, Json series) {
  return {{"x", {{"label", x}}}, {"y", {{"label", y}}}, {"series", std::move(series)}};
}

Json reference_line(const std::string& label, const Json& x, const Json& y) {
  return {{"label", label}, {"style", "line"}, {"x", x}, {"y", y}, {"dashed", true}};
}

double shift_of_series(std::size_t i, std::size_t n) {
  return 0.6 * (double(i) - 0.5 * double(n - 1)) / double(std::max<std::size_t>(3, n));
}

Coordinates fractions(const validation::BinEdges& bins,
                      const std::vector<validation::Efficiency>& values, double shift) {
  std::uint64_t fullest = 0;
  for (const auto& value : values) fullest = std::max(fullest, value.total);
  Coordinates points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].total == 0 || 100 * values[i].total < fullest) continue;
    const auto interval = values[i].interval();
    const double value = values[i].value();
    points.add(std::lerp(bins.edges[i], bins.edges[i + 1], 0.5 + shift), value,
               {value - interval.lower, interval.upper - value});
  }
  return points;
}

Json to_json(const validation::Pulls& pulls) {
  const auto of = [&](std::uint64_t least, double value) {
    return std::uint64_t(pulls.count()) < least ? Json() : Json(value);
  };
  return {{"mean", of(1, pulls.mean())},
          {"mean_error", of(2, pulls.mean_error())},
          {"width", of(2, pulls.sigma())},
          {"width_error", of(2, pulls.sigma_error())}};
}

void Coordinates::add(double at_x, double at_y) {
  x.push_back(at_x);
  y.push_back(at_y);
}

void Coordinates::add(double at_x, double at_y, const Json& its_error) {
  add(at_x, at_y);
  error.push_back(its_error);
}

void Coordinates::add_line(const Coordinates& points) {
  x.push_back(points.x);
  y.push_back(points.y);
}

void Coordinates::add_segment(double x0, double y0, double x1, double y1) {
  x.push_back({x0, x1});
  y.push_back({y0, y1});
}

void Coordinates::add_segment(const std::array<double, 2>& from, const std::array<double, 2>& to) {
  add_segment(from[0], from[1], to[0], to[1]);
}

Json Coordinates::series(const std::string& label, const char* style,
                         std::optional<int> color) const {
  Json json = {{"label", label}, {"style", style}, {"x", x}, {"y", y}};
  if (!error.is_null()) json["error"] = error;
  if (color) json["color"] = *color;
  return json;
}

Json Coordinates::background(const std::string& label) const {
  constexpr int grey = 7;
  auto json = series(label, "segments", grey);
  json["background"] = true;
  return json;
}

void Histogram::add(double value) {
  const double position = (value - low) / width();
  if (position < 0.)
    ++below;
  else if (position >= double(bins.size()))
    ++above;
  else
    ++bins[std::size_t(position)];
}

Json Histogram::to_json() const {
  return {{"low", low}, {"high", high}, {"below", below}, {"above", above}, {"bins", bins}};
}

Json Histogram::series(const std::string& label) const {
  const auto edges = validation::BinEdges::regular(int(bins.size()), low, high).edges;
  return {{"label", label}, {"style", "steps"}, {"edges", edges}, {"y", bins}};
}

void PullHistogram::add(double pull) {
  moments.add(pull);
  counts.add(pull);
}

Json PullHistogram::expected() const {
  Json x = Json::array(), y = Json::array();
  const double scale = double(moments.count()) * counts.width() / std::sqrt(2. * std::numbers::pi);
  for (int i = 0; i <= 100; ++i) {
    const double pull = std::lerp(counts.low, counts.high, i / 100.);
    x.push_back(pull);
    y.push_back(scale * std::exp(-0.5 * pull * pull));
  }
  return reference_line("unit Gaussian", x, y);
}

}  // namespace trackplex::program
