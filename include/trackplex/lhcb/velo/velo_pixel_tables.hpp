// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>

#include <string>
#include <type_traits>

namespace trackplex::lhcb {

/// Geometry of the pixels of the VELO, rounded to Real, in the memory space of the kernels.
template <class Real, class MemorySpace>
struct VeloPixelTables {
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  Array<Real> column_x;      ///< (column): centre of a column along the sensor, mm
  Array<Real> column_pitch;  ///< (column): width of a column, mm
  /// (sensor, axis), flat, at 3 * sensor + axis: global x, y or z (mm) is the first element times
  /// the local x, plus the second one times the local y, plus the third one.
  Array<Quartet<Real>> axes;
};

/// Copies the geometry to the memory space of the kernels. Waits for the instance.
template <class Real, class ExecutionSpace>
VeloPixelTables<Real, typename ExecutionSpace::memory_space> velo_pixel_tables(
    const ExecutionSpace& exec, const VeloPixelGeometry& geometry) {
  VeloPixelTables<Real, typename ExecutionSpace::memory_space> tables;
  const auto array = [&](auto& device, const std::string& label, std::size_t n) {
    device = new_array<std::decay_t<decltype(device)>>(exec, label, n);
    return Kokkos::create_mirror_view(device);
  };
  const auto x = array(tables.column_x, "Trackplex::Lhcb::velo_column_x", velo_pixel_columns);
  const auto pitch =
      array(tables.column_pitch, "Trackplex::Lhcb::velo_column_pitch", velo_pixel_columns);
  const auto axes = array(tables.axes, "Trackplex::Lhcb::velo_axes", 3 * velo_sensor_count);
  exec.fence();  // the arrays are there now
  for (int c = 0; c < velo_pixel_columns; ++c) {
    x(c) = Real(geometry.column_x[c]);
    pitch(c) = Real(geometry.column_pitch[c]);
  }
  for (int s = 0; s < velo_sensor_count; ++s) {
    const auto& t = geometry.transforms[s];
    for (int axis = 0; axis < 3; ++axis)
      axes(3 * s + axis) = {Real(t[3 * axis]), Real(t[3 * axis + 1]), Real(t[9 + axis]), Real(0)};
  }
  copy_array(exec, tables.column_x, x);
  copy_array(exec, tables.column_pitch, pitch);
  copy_array(exec, tables.axes, axes);
  exec.fence();
  return tables;
}

}  // namespace trackplex::lhcb
