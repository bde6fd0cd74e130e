// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/files.hpp>
#include <trackplex/geometry/outlines.hpp>
#include <trackplex/io/detectors/detector_plot.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

namespace trackplex::io {

namespace detail {

/// The series of a layer in a panel; with few layers their names are in the legend.
inline nlohmann::ordered_json layer_series(const geometry::DetectorDescription& detector, int layer,
                                           geometry::Projection projection) {
  using Json = nlohmann::ordered_json;
  constexpr int colors = 7, max_labels = 12;  // the grey one is for backgrounds
  Json series = {{"style", "segments"}, {"color", layer % colors}};
  const auto& name = detector.layers[std::size_t(layer)].name;
  if (!name.empty() && detector.layers.size() <= max_labels) series["label"] = name;
  Json x = Json::array(), y = Json::array();
  const auto micrometres = [](double cm) { return std::round(cm * 1e4) / 1e4; };
  for (const auto& line : geometry::outlines(detector, layer, projection)) {
    x.push_back({micrometres(line[0]), micrometres(line[2])});
    y.push_back({micrometres(line[1]), micrometres(line[3])});
  }
  series["x"] = std::move(x);
  series["y"] = std::move(y);
  return series;
}

}  // namespace detail

TRACKPLEX_INLINE nlohmann::ordered_json detector_plot(const geometry::DetectorDescription& detector,
                                                      const std::string& title) {
  using Json = nlohmann::ordered_json;
  using geometry::LayerKind;
  using geometry::Projection;
  const auto has = [&](LayerKind kind) {
    return std::any_of(detector.layers.begin(), detector.layers.end(),
                       [&](const geometry::Layer& layer) { return layer.kind == kind; });
  };
  const auto panel = [&](const char* x, const char* y, Projection projection) {
    Json series = Json::array();
    for (int layer = 0; layer < int(detector.layers.size()); ++layer) {
      const bool is_hidden = projection == Projection::xy && has(LayerKind::barrel) &&
                             detector.layers[std::size_t(layer)].kind != LayerKind::barrel;
      if (!is_hidden) series.push_back(detail::layer_series(detector, layer, projection));
    }
    return Json{{"x", {{"label", x}}}, {"y", {{"label", y}}}, {"equal", true}, {"series", series}};
  };
  const bool has_planes = has(LayerKind::plane);
  return {{"name", "detector"},
          {"title", title},
          {"columns", 2},
          {"panels",
           {panel("z [cm]", has_planes ? "x [cm]" : "r [cm]",
                  has_planes ? Projection::zx : Projection::zr),
            panel("x [cm]", "y [cm]", Projection::xy)}}};
}

TRACKPLEX_INLINE void write_detector_plot(const std::filesystem::path& file,
                                          const geometry::DetectorDescription& detector,
                                          const std::string& title) {
  const nlohmann::ordered_json report = {{"program", "geometry"},
                                         {"plots", {detector_plot(detector, title)}}};
  write_file(file, report.dump() + "\n");
}

}  // namespace trackplex::io
