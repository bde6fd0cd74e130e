// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/geometry/description.hpp>
#include <trackplex/io/display/detector_frames.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>
#include <trackplex/lhcb/scifi/scifi_geometry.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>
#include <trackplex/lhcb/velo/velo_sensors.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::io {

namespace detail {

inline constexpr std::uint32_t velo_color = 0x9aa7b4, ut_color = 0xa4b494, scifi_color = 0xb4a08c;

/// Adds the frame of a layer without modules; planes have no limits.
TRACKPLEX_INLINE void add_ideal_layer(GltfMesh& mesh, const geometry::Layer& layer) {
  constexpr double cm = 10.;  // in mm
  if (layer.kind == geometry::LayerKind::barrel)
    add_cylinder(mesh, cm * layer.position, cm * layer.low, cm * layer.high);
  else if (layer.kind == geometry::LayerKind::disk)
    add_ring(mesh, cm * layer.position, cm * layer.low, cm * layer.high);
}

TRACKPLEX_INLINE GltfMesh pixel_frames(const lhcb::VeloPixelGeometry& velo) {
  GltfMesh mesh{.name = "VELO", .color = velo_color};
  const double begin = double(velo.column_x.front()) - double(velo.column_pitch.front()) / 2.,
               end = double(velo.column_x.back()) + double(velo.column_pitch.back()) / 2.;
  const double height = lhcb::velo_pixel_rows * lhcb::velo_row_pitch;
  for (const auto& m : velo.transforms) {
    const auto at = [&m](double x, double y) {
      DisplayPoint point{};
      for (std::size_t k = 0; k < 3; ++k)
        point[k] = double(m[3 * k]) * x + double(m[3 * k + 1]) * y + double(m[9 + k]);
      return point;
    };
    add_frame(mesh, std::array{at(begin, 0.), at(end, 0.), at(end, height), at(begin, height)});
  }
  return mesh;
}

/// Strips begin at the sector's x and y and run along y; those of stereo layers lean in x.
TRACKPLEX_INLINE GltfMesh sector_frames(const lhcb::UtGeometry& ut) {
  GltfMesh mesh{.name = "UT", .color = ut_color};
  constexpr double strips = lhcb::ut_strips_per_sector;
  int layer = 0;
  for (std::size_t i = 0; i < ut.size(); ++i) {
    while (int(i) >= lhcb::ut_region_offsets[std::size_t((layer + 1) * lhcb::ut_regions)]) ++layer;
    const double dxdy = lhcb::ut_dxdy[std::size_t(layer)], length = double(ut.length[i]);
    const auto at = [&](double strip, double along) {
      return DisplayPoint{double(ut.x[i]) + strip * double(ut.x_per_strip[i]) + along * dxdy,
                          double(ut.y[i]) + strip * double(ut.y_per_strip[i]) + along,
                          double(ut.z[i]) + strip * double(ut.z_per_strip[i])};
    };
    add_frame(mesh, std::array{at(0., 0.), at(strips, 0.), at(strips, length), at(0., length)});
  }
  return mesh;
}

TRACKPLEX_INLINE GltfMesh mat_frames(const lhcb::ScifiGeometry& scifi) {
  GltfMesh mesh{.name = "SciFi", .color = scifi_color};
  for (std::size_t i = 0; i < scifi.length.size(); ++i) {
    const double length = double(scifi.length[i]);
    if (length == 0.) continue;
    const auto at = [&](double u, double along) {
      return DisplayPoint{
          double(scifi.x[i]) + u * double(scifi.step_x[i]) + along * double(scifi.dxdy[i]),
          double(scifi.y[i]) + u * double(scifi.step_y[i]) + along,
          double(scifi.z[i]) + u * double(scifi.step_z[i]) + along * double(scifi.dzdy[i])};
    };
    const double begin = double(scifi.u_begin[i]),
                 end = begin + lhcb::scifi_mat_sipms * double(scifi.sipm_pitch[i]);
    add_frame(mesh, std::array{at(begin, 0.), at(end, 0.), at(end, length), at(begin, length)});
  }
  return mesh;
}

}  // namespace detail

TRACKPLEX_INLINE std::vector<GltfMesh> detector_frames(
    const geometry::DetectorDescription& detector) {
  constexpr std::array<std::uint32_t, 4> colors = {0x9aa7b4, 0xa4b494, 0xb4a08c, 0xa89ab4};
  std::vector<GltfMesh> meshes;
  for (std::size_t i = 0; i < detector.layers.size(); ++i) {
    const auto& layer = detector.layers[i];
    auto& mesh = meshes.emplace_back();
    mesh.name = layer.name.empty() ? "layer " + std::to_string(i) : layer.name;
    mesh.color = colors[i % colors.size()];
    if (layer.n_modules == 0) detail::add_ideal_layer(mesh, layer);
    for (int m = layer.first_module; m < layer.first_module + layer.n_modules; ++m) {
      std::vector<DisplayPoint> corners;
      for (const auto& corner : geometry::corners_of(detector.modules[std::size_t(m)]))
        corners.push_back({10. * corner(0), 10. * corner(1), 10. * corner(2)});  // mm
      add_frame(mesh, corners);
    }
  }
  return meshes;
}

TRACKPLEX_INLINE GltfMesh velo_frames() {
  GltfMesh mesh{.name = "VELO", .color = detail::velo_color};
  for (int module = 0; module < lhcb::velo_modules; ++module)
    for (const auto& sensor : lhcb::velo_sensors) {
      const auto at = [&](double u, double v) {
        const auto [x, y] = lhcb::from_velo_sensor(module, {u, v});
        return DisplayPoint{x, y, lhcb::velo_module_z[std::size_t(module)] + sensor.z};
      };
      add_frame(mesh, std::array{at(sensor.u_min, sensor.v_min), at(sensor.u_max, sensor.v_min),
                                 at(sensor.u_max, sensor.v_max), at(sensor.u_min, sensor.v_max)});
    }
  return mesh;
}

TRACKPLEX_INLINE std::vector<GltfMesh> detector_frames(const lhcb::Detector& detector) {
  std::vector<GltfMesh> meshes = {detail::pixel_frames(detector.velo),
                                  detail::sector_frames(detector.ut)};
  if (detector.scifi) meshes.push_back(detail::mat_frames(*detector.scifi));
  return meshes;
}

}  // namespace trackplex::io
