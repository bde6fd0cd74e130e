// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <tuple>
#include <utility>

namespace trackplex::test {

namespace detail {
template <class... Tuples>
using Concatenated = decltype(std::tuple_cat(std::declval<Tuples>()...));
}

/// The execution spaces of this build, for `TEMPLATE_LIST_TEST_CASE`: one source tests them all.
using EnabledSpaces = detail::Concatenated<std::tuple<>
#if defined(KOKKOS_ENABLE_SERIAL)
                                           ,
                                           std::tuple<Kokkos::Serial>
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
                                           ,
                                           std::tuple<Kokkos::OpenMP>
#endif
#if defined(KOKKOS_ENABLE_CUDA)
                                           ,
                                           std::tuple<Kokkos::Cuda>
#endif
#if defined(KOKKOS_ENABLE_HIP)
                                           ,
                                           std::tuple<Kokkos::HIP>
#endif
                                           >;

}  // namespace trackplex::test
