// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo/velo_geometry.hpp>
#include <trackplex/lhcb/velo/velo_sensors.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace trackplex::lhcb {

/// Number of sensors of the VELO. Sensors of module m are 4 m to 4 m + 3.
inline constexpr int velo_sensor_count = velo_modules * velo_sensors_per_module;
/// Number of columns of pixels of a sensor: three chips side by side.
inline constexpr int velo_pixel_columns = 768;
/// Number of rows of pixels of a sensor.
inline constexpr int velo_pixel_rows = 256;
/// Distance of the rows, mm.
inline constexpr double velo_row_pitch = 0.055;

/// Positions of the pixels of the VELO. Lengths are in mm.
struct VeloPixelGeometry {
  std::array<float, velo_modules> module_z{};        ///< (module): nominal z
  std::array<float, velo_pixel_columns> column_x{};  ///< (column): centre, along the sensor
  std::array<float, velo_pixel_columns>
      column_pitch{};  ///< (column): width, 0.055 mm; more where two chips meet
  /// (sensor): three rows of the rotation matrix from local to global coordinates, then the
  /// translation.
  std::array<std::array<float, 12>, velo_sensor_count> transforms{};

  /// Compares all members.
  friend bool operator==(const VeloPixelGeometry&, const VeloPixelGeometry&) = default;
};

/// Tag of the VELO in bits 28 to 31 of an LHCbID (files of 2019 and 2020).
inline constexpr std::uint32_t velo_id_tag = 8;

/// LHCbID of the pixel (column, row) of a sensor: tag << 28 | sensor << 18 | column << 8 | row.
template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t velo_id(Integer sensor, Integer column,
                                                            Integer row) {
  return velo_id_tag << 28 | std::uint32_t(sensor) << 18 | std::uint32_t(column) << 8 |
         std::uint32_t(row);
}
static_assert(velo_id(1, 767, 3) == (8u << 28 | 1u << 18 | 2u << 16 | 255u << 8 | 3u));

}  // namespace trackplex::lhcb
