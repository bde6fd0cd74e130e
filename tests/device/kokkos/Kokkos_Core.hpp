// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A stand-in for Kokkos with Serial and with a device that is emulated, under the name Cuda: the
/// names that the library and its tests use. What is launched is only enqueued, threads of a team
/// run one after the other between barriers, and memory faults for whom it is not.

#define KOKKOS_VERSION 40700
#define KOKKOS_ENABLE_SERIAL
#define KOKKOS_ENABLE_CUDA
#define KOKKOS_FUNCTION
#define KOKKOS_INLINE_FUNCTION inline
#define KOKKOS_FORCEINLINE_FUNCTION inline
#define KOKKOS_LAMBDA [=]
#define KOKKOS_CLASS_LAMBDA [ =, *this ]

#include <Kokkos_Parallel.hpp>
#include <Kokkos_Spaces.hpp>
#include <Kokkos_View.hpp>

#include <type_traits>

namespace Kokkos {

// Threads of the device take turns; those of hosts need the atomic operation.

template <class T>
T atomic_fetch_add(T* to, std::type_identity_t<T> value) {
  emulation::pause();
  if constexpr (std::is_integral_v<T>) {
    return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
  } else {
    const T before = *to;
    *to = before + value;
    return before;
  }
}
template <class T>
T atomic_fetch_or(T* to, std::type_identity_t<T> value) {
  emulation::pause();
  return __atomic_fetch_or(to, value, __ATOMIC_RELAXED);
}
template <class T>
T atomic_fetch_min(T* to, std::type_identity_t<T> value) {
  emulation::pause();
  const T before = *to;
  if (value < before) *to = value;
  return before;
}

}  // namespace Kokkos
