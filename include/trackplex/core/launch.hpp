// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launching kernels over items: lanes on hosts, threads on devices.

#include <trackplex/core/spaces.hpp>
#include <trackplex/core/tile.hpp>

#include <string>

namespace trackplex {

namespace detail {
template <class Number, class Body>
struct TileFunctor {
  Body body;
  int n;

  KOKKOS_FUNCTION void operator()(int tile) const {
    constexpr int width = width_of<Number>;
    const int first = tile * width;
    body(Tile<Number>{first, n - first < width ? n - first : width});
  }
};
}  // namespace detail

/// Enqueues `body(Tile<Number>)` for the items 0 to n - 1 on the instance and returns. `Number` is
/// the widest number type of the body: `Real` of the kernel.
template <class Number, class ExecutionSpace, class Body>
void for_each_tile(const ExecutionSpace& exec, const std::string& label, int n, const Body& body) {
  static_assert(is_host_space<ExecutionSpace> || width_of<Number> == 1,
                "Lanes are for host spaces: a device sees scalars.");
  constexpr int width = width_of<Number>;
  const int tiles = (n + width - 1) / width;
  if (tiles == 0) return;
  Kokkos::parallel_for(label, Kokkos::RangePolicy<ExecutionSpace>(exec, 0, tiles),
                       detail::TileFunctor<Number, Body>{body, n});
}

}  // namespace trackplex
