// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/detectors/detail/detector_table.hpp>
#include <trackplex/io/detectors/trackml_detector.hpp>
#include <trackplex/io/tables/table_csv.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

TRACKPLEX_INLINE geometry::DetectorDescription parse_trackml_detector(
    std::string_view text, const std::string& name, const geometry::CheckParams& params) {
  using enum ColumnType;
  const auto format = detail::ModuleColumns::with_frame({{"volume_id", "", int64},
                                                         {"layer_id", "", int64},
                                                         {"module_id", "", int64},
                                                         {"module_t", "mm"},
                                                         {"module_minhu", "mm"},
                                                         {"module_maxhu", "mm"},
                                                         {"module_hv", "mm"},
                                                         {"pitch_u", "mm"},
                                                         {"pitch_v", "mm"}});
  const auto table = parse_table_csv(text, name, format, CsvDialect::foreign);
  const detail::ModuleColumns columns(table);
  detail::ModuleRows rows(table);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double low = columns.length("module_minhu", row),
                 high = columns.length("module_maxhu", row),
                 half_v = columns.length("module_hv", row);
    const auto bounds = low == high ? geometry::Bounds::rectangle(low, half_v)
                                    : geometry::Bounds::trapezoid(low, high, half_v);
    const auto volume = columns.volume(row), layer = columns.layer(row);
    rows.add(row, volume, layer,
             {.frame = columns.frame(row),
              .bounds = columns.checked(bounds, "module_hv", row),
              .thickness = 2. * columns.length("module_t", row),
              .pitch_u = columns.length("pitch_u", row),
              .pitch_v = columns.length("pitch_v", row),
              .identifier = geometry::module_identifier(volume, layer, columns.module(row))});
  }
  return rows.detector(params);
}

TRACKPLEX_INLINE geometry::DetectorDescription read_trackml_detector(
    const std::filesystem::path& path, const geometry::CheckParams& params) {
  return parse_trackml_detector(detail::read_plain_or_gzip(path), path.string(), params);
}

}  // namespace trackplex::io
