// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The execution spaces of this build, as a list of types: the one place that asks Kokkos for its
/// backends, for tests and programs that run on all of them.

#include <trackplex/core/spaces.hpp>

#include <Kokkos_Core.hpp>

#include <tuple>
#include <type_traits>
#include <utility>

namespace trackplex {

namespace detail {
template <class... Tuples>
using Concatenated = decltype(std::tuple_cat(std::declval<Tuples>()...));

// clang-format off
using BuiltSpaces = Concatenated<std::tuple<>
#if defined(KOKKOS_ENABLE_SERIAL)
    , std::tuple<Kokkos::Serial>
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
    , std::tuple<Kokkos::OpenMP>
#endif
#if defined(KOKKOS_ENABLE_CUDA)
    , std::tuple<Kokkos::Cuda>
#endif
#if defined(KOKKOS_ENABLE_HIP) && KOKKOS_VERSION >= 40000
    , std::tuple<Kokkos::HIP>
#elif defined(KOKKOS_ENABLE_HIP)
    , std::tuple<Kokkos::Experimental::HIP>
#endif
    >;
// clang-format on
}  // namespace detail

/// `std::tuple` of the execution spaces that Kokkos was built with, hosts first.
using EnabledSpaces = detail::BuiltSpaces;

/// Calls `f(std::type_identity<Space>{})` for each enabled execution space.
template <class F>
void for_each_enabled_space(F&& f) {
  [&]<class... Spaces>(std::type_identity<std::tuple<Spaces...>>) {
    (f(std::type_identity<Spaces>{}), ...);
  }(std::type_identity<EnabledSpaces>{});
}

}  // namespace trackplex
