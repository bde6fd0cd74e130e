// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <string>

namespace trackplex {

/// Gives `view` room for `n` entries in its first dimension, without contents, where it has less;
/// else leaves it alone.
template <class ExecutionSpace, class View>
void reserve(const ExecutionSpace& exec, View& view, const std::string& label, std::size_t n) {
  if (view.extent(0) < n)
    view = View(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label), n);
}

}  // namespace trackplex
