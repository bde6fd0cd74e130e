// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detectors/acts_detector.hpp>
#include <trackplex/io/detectors/detail/detector_table.hpp>
#include <trackplex/io/detectors/detail/gunzip.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

namespace detail {

/// The module of a row: of a rectangle, the middle is the centre.
inline geometry::Module acts_module(const TableOfFile& table, const ModuleColumns& columns,
                                    std::size_t row) {
  const auto parameter = [&](const char* name) { return columns.length(name, row); };
  const double p0 = parameter("bound_param0"), p1 = parameter("bound_param1"),
               p2 = parameter("bound_param2"), p3 = parameter("bound_param3");
  auto frame = columns.frame(row);
  geometry::Bounds bounds;
  switch (columns.index("bounds_type", row, 256)) {
    case 6:
      bounds = geometry::Bounds::rectangle(0.5 * (p2 - p0), 0.5 * (p3 - p1));
      frame.centre = geometry::to_global(frame, {0.5 * (p0 + p2), 0.5 * (p1 + p3), 0.});
      break;
    case 7:
      bounds = geometry::Bounds::trapezoid(p0, p1, p2);
      break;
    default:
      table.refuse(row, "bounds_type", "modules of other types than 6 and 7 are not supported");
  }
  const auto identifier = table.values<std::int64_t>("geometry_id")[row];
  return {.frame = frame,
          .bounds = columns.checked(bounds, "bound_param0", row),
          .identifier = std::uint64_t(identifier)};
}

}  // namespace detail

TRACKPLEX_INLINE geometry::DetectorDescription parse_acts_detector(
    std::string_view text, const std::string& name, const geometry::CheckParams& params) {
  using enum ColumnType;
  auto format = detail::ModuleColumns::with_frame({{"geometry_id", "", int64},
                                                   {"volume_id", "", int64},
                                                   {"boundary_id", "", int64},
                                                   {"layer_id", "", int64},
                                                   {"module_id", "", int64},
                                                   {"bounds_type", "", int64}});
  for (int i = 0; i < 7; ++i) format.push_back({"bound_param" + std::to_string(i), "mm"});
  const auto table = parse_table_csv(text, name, format);
  const detail::ModuleColumns columns(table);
  detail::ModuleRows rows(table);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (columns.module(row) == 0) continue;
    rows.add(row, columns.volume(row), columns.layer(row),
             detail::acts_module(table, columns, row));
  }
  return rows.detector(params);
}

TRACKPLEX_INLINE geometry::DetectorDescription read_acts_detector(
    const std::filesystem::path& path, const geometry::CheckParams& params) {
  return parse_acts_detector(detail::read_plain_or_gzip(path), path.string(), params);
}

}  // namespace trackplex::io
