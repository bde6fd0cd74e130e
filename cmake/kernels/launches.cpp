// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launches.hpp"

namespace trackplex {
#if defined(KOKKOS_ENABLE_SERIAL)
TRACKPLEX_HOST_LAUNCHES(, Kokkos::Serial)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
TRACKPLEX_HOST_LAUNCHES(, Kokkos::OpenMP)
#endif
}  // namespace trackplex
