// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include <string>

namespace trackplex {

/// Copies values of the host (anything with operator[]) to a view, as many as it has, converted to
/// its elements. Waits for the instance.
template <class ExecutionSpace, class View, class Values>
void copy_to_device(const ExecutionSpace& exec, const View& to, const Values& values) {
  const auto host = Kokkos::create_mirror_view(to);
  for (std::size_t i = 0; i < to.extent(0); ++i)
    host(i) = static_cast<typename View::value_type>(values[i]);
  Kokkos::deep_copy(exec, to, host);
  exec.fence();  // the host's copy ends here
}

/// The values in a new view of T. Waits for the instance.
template <class T, class ExecutionSpace, class Values>
Kokkos::View<T*, typename ExecutionSpace::memory_space> on_device(const ExecutionSpace& exec,
                                                                  const std::string& label,
                                                                  const Values& values) {
  const Kokkos::View<T*, typename ExecutionSpace::memory_space> view(
      Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, label), values.size());
  copy_to_device(exec, view, values);
  return view;
}

}  // namespace trackplex
