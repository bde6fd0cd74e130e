// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Shapes of detectors for viewers in three dimensions, as glTF 2.0. What encloses an event is
/// drawn as frames, which do not hide it.

#include <trackplex/core/compiled.hpp>
#include <trackplex/io/display/display_event.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace trackplex::io {

/// Triangles of one colour.
struct GltfMesh {
  std::string name{};
  std::uint32_t color = 0;                                ///< 0xRRGGBB
  std::vector<DisplayPoint> points{};                     ///< mm
  std::vector<std::array<std::uint32_t, 3>> triangles{};  ///< numbers of their points
};

/// Adds the border of a convex polygon, which covers `width` of the way from its edges to its
/// middle.
void add_frame(GltfMesh& mesh, std::span<const DisplayPoint> corners, double width = 0.08);

/// Adds a cylinder around the z axis, as frames of 32 panels. Lengths in mm.
void add_cylinder(GltfMesh& mesh, double radius, double z_low, double z_high);

/// Adds a ring around the z axis, as frames of 32 panels. Lengths in mm.
void add_ring(GltfMesh& mesh, double z, double r_low, double r_high);

/// Returns a scene of meshes as the text of a glTF file, with its data embedded; meshes without
/// triangles are left out. Points are rounded to float.
/// @throws UsageError if a point is not finite, or a triangle has a point that does not exist
std::string gltf_text(const std::string& name, std::span<const GltfMesh> meshes);

/// Writes such a file.
/// @throws UsageError as `gltf_text` does
/// @throws Error if it cannot be written
void write_gltf(const std::filesystem::path& path, const std::string& name,
                std::span<const GltfMesh> meshes);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/display/detail/gltf_file.impl.hpp>
#endif
