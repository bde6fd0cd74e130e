// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/field_map.hpp>

#include <string>

namespace trackplex::lhcb {

/// Checks that a map (cm, T) is one of LHCb's magnet: its grid contains what long tracks cross
/// inside the magnet, |x| < 1.5 m and |y| < 1.2 m from z = 2.6 to 7.8 m, and the integral of B_y
/// along the z axis is between 1 and 10 T m, negative for a magnet that points down. `name` is for
/// messages.
/// @param polarity of the magnet: -1 down, +1 up, as in Detector
/// @throws InputError that says why it is not, UsageError if the grid is damaged
void check_magnet_map(const geometry::FieldGrid& grid, double polarity, const std::string& name);

/// Copies a map of LHCb's magnet to the memory space of the kernels; outside the grid there is no
/// field. Waits for the instance.
/// @throws InputError or UsageError as check_magnet_map(), CapacityError as geometry::FieldMap
template <class T, class ExecutionSpace>
geometry::FieldMap<T, typename ExecutionSpace::memory_space> magnet_map(
    const ExecutionSpace& exec, const geometry::FieldGrid& grid, double polarity) {
  check_magnet_map(grid, polarity, "field map");
  return {exec, grid, geometry::OutsideOfMap::zero};
}

}  // namespace trackplex::lhcb

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/lhcb/fit/detail/magnet_map.impl.hpp>
#endif
