// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Detectors as tables of ACTS, such as trackml-detector.csv: a surface per row, with its packed
/// geometry_id (in either packing, see io/acts_geometry_id.hpp) and the numbers in it (volume_id,
/// layer_id, module_id; without these columns they are those of the geometry_id), centre cx, cy,
/// cz, rotation rot_xu ... rot_zw (its columns are u, v and w), and bounds: type 3, rings with
/// inner and outer radius, half the angle and its middle; 6, rectangles with lower and upper
/// corner; 7, trapezoids with the half widths at both ends of v and the half length; 11, annuli
/// with inner and outer radius, lower and upper azimuth and its middle, and the origin 0. Optional
/// are the thickness module_t and the pitches pitch_u and pitch_v, -1 where they are not known.
/// Surfaces with module_id 0 bound volumes and layers and are skipped. Lengths are in mm there and
/// in cm in the library.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/check.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace trackplex::io {

/// Parses the text of a table of surfaces; `name` is for messages. Layers are those of the file, in
/// the order of volume and layer, with kind, radius or z, and extents computed from their modules,
/// and named "volume 8 layer 2". The file says nothing of material. Modules have the identifier
/// geometry_id, as it is in the file. The v axis of rings and annuli points to their middle.
/// @throws InputError with line and column if the table or a row is damaged or not possible
/// @throws UsageError if the detector has a fault, see geometry::check
geometry::DetectorDescription parse_acts_detector(std::string_view text, const std::string& name,
                                                  const geometry::CheckParams& params = {});

/// Reads a table of surfaces, which may be compressed by gzip; see parse_acts_detector().
/// @throws InputError if the file cannot be read or parsed
/// @throws UsageError if the detector has a fault, see geometry::check
geometry::DetectorDescription read_acts_detector(const std::filesystem::path& path,
                                                 const geometry::CheckParams& params = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/acts_detector.impl.hpp>
#endif
