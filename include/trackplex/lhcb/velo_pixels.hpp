// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/velo_geometry.hpp>
#include <trackplex/lhcb/velo_sensors.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>

namespace trackplex::lhcb {

inline constexpr int velo_sensor_count = velo_modules * velo_sensors_per_module;
inline constexpr int velo_pixel_columns = 768;  ///< of a sensor: three chips side by side
inline constexpr int velo_pixel_rows = 256;
inline constexpr double velo_row_pitch = 0.055;  ///< mm

/// Where the pixels of the VELO stand, mm.
struct VeloPixelGeometry {
  std::array<float, velo_modules> module_z{};            ///< nominal
  std::array<float, velo_pixel_columns> column_x{};      ///< centre of a column, along the sensor
  std::array<float, velo_pixel_columns> column_pitch{};  ///< 0.055; more where two chips meet
  /// Of each sensor: three rows of a rotation matrix, then the translation; local to global.
  std::array<std::array<float, 12>, velo_sensor_count> transforms{};

  friend bool operator==(const VeloPixelGeometry&, const VeloPixelGeometry&) = default;
};

/// Tag of the VELO in bits 28 to 31 of an LHCbID (files of 2019 and 2020).
inline constexpr std::uint32_t velo_id_tag = 8;

/// LHCbID of the pixel (column, row) of a sensor.
template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint32_t velo_id(Integer sensor, Integer column,
                                                            Integer row) {
  return velo_id_tag << 28 | std::uint32_t(sensor) << 18 | std::uint32_t(column) << 8 |
         std::uint32_t(row);
}
static_assert(velo_id(1, 767, 3) == (8u << 28 | 1u << 18 | 2u << 16 | 255u << 8 | 3u));

}  // namespace trackplex::lhcb
