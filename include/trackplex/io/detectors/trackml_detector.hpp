// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Detectors as tables of the TrackML challenge, detectors.csv: a module per row, with its numbers
/// (volume_id, layer_id, module_id), centre cx, cy, cz, rotation rot_xu ... rot_zw (its columns are
/// u, v and w), half thickness module_t, half widths module_minhu and module_maxhu at both ends of
/// v, half length module_hv, and the pitches. Lengths are in mm there and in cm in the library.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/check.hpp>

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
geometry::DetectorDescription parse_trackml_detector(std::string_view text, const std::string& name,
                                                     const geometry::CheckParams& params = {});

/// Reads detectors.csv, which may be compressed by gzip; see parse_trackml_detector().
/// @throws InputError if the file cannot be read or parsed
/// @throws UsageError if the detector has a fault, see geometry::check
geometry::DetectorDescription read_trackml_detector(const std::filesystem::path& path,
                                                    const geometry::CheckParams& params = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/trackml_detector.impl.hpp>
#endif
