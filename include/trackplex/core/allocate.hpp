// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>

namespace trackplex {

/// Gives `view` a capacity of `n` entries in its first dimension, without contents, where it has
/// less; else leaves it alone. The view may also be one of the host, for the host's side of an
/// instance's arrays.
template <class ExecutionSpace, class View>
void allocate_array(const ExecutionSpace& exec, View& view, const std::string& label,
                    std::size_t n) {
  if (view.extent(0) >= n) return;
  if constexpr (std::is_same_v<typename View::memory_space,
                               typename ExecutionSpace::memory_space>) {
    view = View(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label), n);
  } else {
    view = View(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
  }
}

}  // namespace trackplex
