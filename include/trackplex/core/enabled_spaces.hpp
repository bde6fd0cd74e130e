// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The execution spaces of this build, as a list of types, and their backends: the only place
/// that queries Kokkos for its devices, for tests and programs that run on every backend.

#include <trackplex/core/host_executor.hpp>
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
using BuiltSpaces = Concatenated<std::tuple<HostExecutor>
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

/// `std::tuple` of the execution spaces: the host, then the devices that Kokkos was built with.
using EnabledSpaces = detail::BuiltSpaces;

/// Calls `f(exec)` with an instance of each backend, the host backends first.
template <class F>
void for_each_backend(F&& f) {
  [&]<class... Devices>(std::type_identity<std::tuple<HostExecutor, Devices...>>) {
    for (const auto& host : HostExecutor::all()) f(host);
    (f(Devices()), ...);
  }(std::type_identity<EnabledSpaces>{});
}

}  // namespace trackplex
