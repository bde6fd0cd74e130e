// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>

namespace trackplex::detail {

TRACKPLEX_INLINE void copy_on_host(const HostExecutor& exec,
                                   const Bytes<char, Kokkos::HostSpace>& to,
                                   const Bytes<const char, Kokkos::HostSpace>& from) {
  exec.visit([&](const auto& instance) { Kokkos::deep_copy(instance, to, from); });
}

TRACKPLEX_INLINE void fill_on_host(const HostExecutor& exec,
                                   const Bytes<char, Kokkos::HostSpace>& bytes) {
  exec.visit([&](const auto& instance) { Kokkos::deep_copy(instance, bytes, char(0)); });
}

}  // namespace trackplex::detail
