// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <utility>

namespace trackplex {

/// What the host reads of a view: a copy, or the view itself where the host reaches it. Waits for
/// the instance.
template <class ExecutionSpace, class T, class... Properties>
auto on_host(const ExecutionSpace& exec, const Kokkos::View<T, Properties...>& view) {
  const auto host = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(exec, host, view);
  exec.fence();
  return host;
}

/// The same of the first n elements.
template <class ExecutionSpace, class T, class... Properties>
auto on_host(const ExecutionSpace& exec, const Kokkos::View<T*, Properties...>& view,
             std::size_t n) {
  return on_host(exec, Kokkos::subview(view, std::make_pair(std::size_t(0), n)));
}

}  // namespace trackplex
