// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/acts_detector.hpp>
#include <trackplex/io/detectors/acts_geometry_id.hpp>
#include <trackplex/io/detectors/detail/detector_table.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

namespace detail {

/// Makes the part of a ring from its radii and its range of the azimuth about the axis `middle`, at
/// which v points.
inline geometry::Bounds turn_to_ring(double inner, double outer, double low, double high,
                                     double middle, geometry::Frame<double>& frame) {
  const double angle = middle + 0.5 * (low + high);
  const auto u = frame.u, v = frame.v;
  const double c = trackplex::cos(angle), s = trackplex::sin(angle);
  frame.u = s * u - c * v;
  frame.v = c * u + s * v;
  return geometry::Bounds::annulus(inner, outer, std::min(0.5 * (high - low), std::numbers::pi));
}

/// Modules of a table of ACTS.
class ActsModules {
 public:
  explicit ActsModules(const TableOfFile& table) : table_(table), columns_(table) {
    if (has_numbers()) return;
    std::vector<std::uint64_t> ids;
    for (std::size_t row = 0; row < table.rows(); ++row) ids.push_back(identifier(row));
    packing_ = geometry_id_packing(ids);
  }

  std::uint64_t volume(std::size_t row) const {
    return has_numbers() ? columns_.volume(row) : identifier(row) >> 56;
  }
  std::uint64_t layer(std::size_t row) const {
    return has_numbers() ? columns_.layer(row) : identifier(row) >> 36 & 0xfff;
  }
  /// Number of the module; 0: the surface bounds a volume or a layer.
  std::uint64_t module(std::size_t row) const {
    if (has_numbers()) return columns_.module(row);
    const auto low = identifier(row) & 0xfffffff;
    return packing_ == GeometryIdPacking::module_28 ? low : low >> 8;
  }

  geometry::Module operator()(std::size_t row) const {
    geometry::Module module{.frame = columns_.frame(row), .identifier = identifier(row)};
    module.bounds = columns_.checked(bounds(row, module), "bound_param0", row);
    const auto length = [&](const char* name) {
      return table_.has(name) ? std::max(columns_.length(name, row), 0.) : 0.;  // -1: not known
    };
    module.thickness = length("module_t");
    module.pitch_u = length("pitch_u");
    module.pitch_v = length("pitch_v");
    return module;
  }

 private:
  bool has_numbers() const {
    return table_.has("volume_id") && table_.has("layer_id") && table_.has("module_id");
  }
  std::uint64_t identifier(std::size_t row) const {
    return std::uint64_t(table_.values<std::int64_t>("geometry_id")[row]);
  }

  /// The bounds of a row; of a rectangle, the middle becomes the centre.
  geometry::Bounds bounds(std::size_t row, geometry::Module& module) const {
    const auto length = [&](int i) {
      return columns_.length("bound_param" + std::to_string(i), row);
    };
    const auto angle = [&](int i) { return 10. * length(i); };
    const double p0 = length(0), p1 = length(1), p2 = length(2), p3 = length(3);
    switch (columns_.index("bounds_type", row, 256)) {
      case 3:
        return turn_to_ring(p0, p1, -angle(2), angle(2), angle(3), module.frame);
      case 6:
        module.origin_u = -0.5 * (p0 + p2);
        module.origin_v = -0.5 * (p1 + p3);
        module.frame.centre =
            geometry::to_global(module.frame, {-module.origin_u, -module.origin_v, 0.});
        return geometry::Bounds::rectangle(0.5 * (p2 - p0), 0.5 * (p3 - p1));
      case 7:
        return geometry::Bounds::trapezoid(p0, p1, p2);
      case 11:
        if (length(5) != 0. || length(6) != 0.)
          table_.refuse(row, "bound_param5 and bound_param6",
                        "the sides of an annulus meet beside the centre of its arcs",
                        "that is not supported");
        return turn_to_ring(p0, p1, angle(2), angle(3), angle(4), module.frame);
      default:
        table_.refuse(row, "bounds_type",
                      "modules of other types than 3, 6, 7 and 11 are not supported");
    }
  }

  const TableOfFile& table_;
  ModuleColumns columns_;
  GeometryIdPacking packing_ = GeometryIdPacking::module_28;
};

}  // namespace detail

TRACKPLEX_INLINE geometry::DetectorDescription parse_acts_detector(
    std::string_view text, const std::string& name, const geometry::CheckParams& params) {
  using enum ColumnType;
  auto format = detail::ModuleColumns::with_frame({{"geometry_id", "", int64},
                                                   {"volume_id", "", int64, false},
                                                   {"layer_id", "", int64, false},
                                                   {"module_id", "", int64, false},
                                                   {"bounds_type", "", int64},
                                                   {"module_t", "mm", float64, false},
                                                   {"pitch_u", "mm", float64, false},
                                                   {"pitch_v", "mm", float64, false}});
  for (int i = 0; i < 7; ++i) format.push_back({"bound_param" + std::to_string(i), "mm"});
  const auto table = parse_table_csv(text, name, format, CsvDialect::foreign);
  const detail::ActsModules modules(table);
  detail::ModuleRows rows(table);
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (modules.module(row) != 0)
      rows.add(row, modules.volume(row), modules.layer(row), modules(row));
  return rows.detector(params);
}

TRACKPLEX_INLINE geometry::DetectorDescription read_acts_detector(
    const std::filesystem::path& path, const geometry::CheckParams& params) {
  return parse_acts_detector(detail::read_plain_or_gzip(path), path.string(), params);
}

}  // namespace trackplex::io
