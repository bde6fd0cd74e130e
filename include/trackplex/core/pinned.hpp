// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/spaces.hpp>

namespace trackplex {

namespace detail {
template <class ExecutionSpace, bool OnHost>
struct PinnedSpaceOf {
  using type = Kokkos::HostSpace;
};
template <class ExecutionSpace>
struct PinnedSpaceOf<ExecutionSpace, false> {
#if KOKKOS_VERSION >= 40000
  using type = Kokkos::SharedHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_CUDA)
  using type = Kokkos::CudaHostPinnedSpace;
#elif defined(KOKKOS_ENABLE_HIP)
  using type = Kokkos::Experimental::HIPHostPinnedSpace;
#else
  using type = Kokkos::HostSpace;
#endif
};
}  // namespace detail

/// Host memory for asynchronous copies from and to the execution space: pinned memory for a device,
/// `HostSpace` for a host.
template <class ExecutionSpace>
using PinnedSpace =
    typename detail::PinnedSpaceOf<ExecutionSpace, is_host_space<ExecutionSpace>>::type;

}  // namespace trackplex
