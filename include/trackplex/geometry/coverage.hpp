// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Areas covered by the active modules of each layer: a track without a hit there has a hole.

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/quartet.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/geometry/detail/cover_cells.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex::geometry {

/// Finds how the modules of each layer cover it. Modules off the surface are projected onto it
/// along the lines from the centre of collisions.
/// @returns the cells of each layer, empty for a layer without modules
/// @throws UsageError if the numbers of modules and layers do not match, or a parameter is not
///         possible
std::vector<CoverageGrid> find_coverage(const DetectorDescription& detector,
                                        const CoverageParams& params = {});

/// Coverage of the layers of a detector in a memory space.
/// @tparam T scalar of the numbers, `float` or `double`
template <class T, class MemorySpace>
struct Coverage {
  static constexpr int shape_numbers = 3;  ///< integers of a layer

  Kokkos::View<Quartet<T>*, MemorySpace> grids;     ///< lower ends, and cells per rad or cm; see
                                                    ///< at()
  Kokkos::View<std::int32_t*, MemorySpace> shapes;  ///< of each layer: first cell, and both numbers
                                                    ///< of cells
  Kokkos::View<std::uint8_t*, MemorySpace> cells;   ///< a Cover per cell, layer by layer
  int n_layers = 0;                                 ///< number of layers
  int n_cells = 0;                                  ///< number of cells of all layers

  /// Returns the Cover, as a number, at places in the natural coordinates of the layer number
  /// `layer` in each lane; 0 where the mask is not set.
  template <class Real, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION Integer at(const Integer& layer, const Real& first,
                                         const Real& second, const MaskOf<Real>& mask) const {
    if (none_of(mask)) return Integer(0);
    const Integer valid = select(mask, layer, Integer(0));
    const auto grid = gather_quartets<Real>(grids.data(), valid);
    const auto shape = [&](int i) {
      return gather<Integer>(shapes.data() + i, valid * Integer(shape_numbers), mask);
    };
    const Integer n_first = shape(1), n_second = shape(2);
    const auto cell = [&](const Real& x, const Integer& n) {  // valid for NaN too
      return convert<Integer>(min(max(Real(0), x), max(Real(0), convert<Real>(n) - Real(1))));
    };
    const Integer i = cell((first - grid.x) * grid.y, n_first),
                  k = cell((second - grid.z) * grid.w, n_second);
    return gather<Integer>(cells.data(), shape(0) + i * n_second + k, mask);
  }
};

/// Lists the arrays for copies and allocations, and copies the numbers; see core/copy.hpp.
template <class T, class FromSpace, class ToSpace, class F>
void for_each_array(const Coverage<T, FromSpace>& from, Coverage<T, ToSpace>& to, const F& f) {
  to.n_layers = from.n_layers;
  to.n_cells = from.n_cells;
  const auto layers = std::size_t(from.n_layers);
  f(from.grids, to.grids, "Trackplex::Geometry::coverage_grids", layers);
  f(from.shapes, to.shapes, "Trackplex::Geometry::coverage_shapes", to.shape_numbers * layers);
  f(from.cells, to.cells, "Trackplex::Geometry::coverage_cells", std::size_t(from.n_cells));
}

/// Copies coverage to the memory of the instance, rounded to T, and waits until that is done.
/// @throws CapacityError if there are too many cells
template <class T, class ExecutionSpace>
Coverage<T, MemoryOf<ExecutionSpace>> to_device(const ExecutionSpace& exec,
                                                const std::vector<CoverageGrid>& grids) {
  Coverage<T, Kokkos::HostSpace> host;
  host.n_layers = int(grids.size());
  std::size_t n = 0;
  for (const auto& grid : grids) n += grid.cells.size();
  constexpr std::size_t max_cells = 1 << 30;
  if (n > max_cells) throw CapacityError("coverage", "cells", n, max_cells, "take larger cells");
  host.n_cells = int(n);
  allocate_arrays(HostExecutor(), host);
  n = 0;
  for (std::size_t l = 0; l < grids.size(); ++l) {
    const auto& grid = grids[l];
    host.grids(l) = {T(grid.low_first), T(1. / grid.step_first), T(grid.low_second),
                     T(1. / grid.step_second)};
    const std::size_t numbers[] = {n, std::size_t(grid.n_first), std::size_t(grid.n_second)};
    for (std::size_t i = 0; i < 3; ++i)
      host.shapes(host.shape_numbers * l + i) = std::int32_t(numbers[i]);
    for (const auto cover : grid.cells) host.cells(n++) = std::uint8_t(cover);
  }
  const auto device = enqueue_copy<Coverage<T, MemoryOf<ExecutionSpace>>>(exec, host);
  exec.fence();
  return device;
}

}  // namespace trackplex::geometry

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/geometry/detail/coverage.impl.hpp>
#endif
