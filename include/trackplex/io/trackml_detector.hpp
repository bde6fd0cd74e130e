// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Detectors as tables of the TrackML challenge, detectors.csv: a module per row, with its numbers
/// (volume_id, layer_id, module_id), centre cx, cy, cz, rotation rot_xu ... rot_zw (its columns are
/// u, v and w), half thickness module_t, half widths module_minhu and module_maxhu at both ends of
/// v, half length module_hv, and the pitches. Lengths are in mm there and in cm in the library.

#include <trackplex/io/detail/detector_table.hpp>
#include <trackplex/io/detail/gunzip.hpp>
#include <trackplex/io/table_csv.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Parses the text of detectors.csv; `name` is for messages. Layers are those of the file, in the
/// order of volume and layer, with kind, radius or z, and extents computed from their modules, and
/// named "volume 8 layer 2". The file says nothing of material. Modules have
/// geometry::module_identifier(volume_id, layer_id, module_id).
/// @throws InputError with line and column if the table or a row is damaged or not possible
/// @throws UsageError if the detector has a fault, see geometry::check
inline geometry::DetectorDescription parse_trackml_detector(
    std::string_view text, const std::string& name, const geometry::CheckParams& params = {}) {
  using enum ColumnType;
  const auto format = detail::ModuleColumns::with_frame({{"", "", int64, false},
                                                         {"volume_id", "", int64},
                                                         {"layer_id", "", int64},
                                                         {"module_id", "", int64},
                                                         {"module_t", "mm"},
                                                         {"module_minhu", "mm"},
                                                         {"module_maxhu", "mm"},
                                                         {"module_hv", "mm"},
                                                         {"pitch_u", "mm"},
                                                         {"pitch_v", "mm"}});
  const auto table = parse_table_csv(text, name, format);
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

/// Reads detectors.csv, which may be compressed by gzip; see parse_trackml_detector().
/// @throws InputError if the file cannot be read or parsed
/// @throws UsageError if the detector has a fault, see geometry::check
inline geometry::DetectorDescription read_trackml_detector(
    const std::filesystem::path& path, const geometry::CheckParams& params = {}) {
  return parse_trackml_detector(detail::read_plain_or_gzip(path), path.string(), params);
}

}  // namespace trackplex::io
