// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Names of Kokkos that its stand-ins share: the one of tests/compilers, which only compiles, and
/// the one of tests/device, which runs. They define KOKKOS_FORCEINLINE_FUNCTION before.

#include <cstddef>
#include <limits>

namespace Kokkos {

namespace Experimental {
template <class T>
struct infinity {
  static constexpr T value = std::numeric_limits<T>::infinity();
};
template <class T>
struct finite_min {
  static constexpr T value = std::numeric_limits<T>::lowest();
};
template <class T>
struct finite_max {
  static constexpr T value = std::numeric_limits<T>::max();
};
/// Hints are ignored: functors are arguments of kernels.
struct WorkItemProperty {
  struct HintLightWeight_t {};
  static constexpr HintLightWeight_t HintLightWeight{};
};
template <class Policy>
Policy require(const Policy& policy, WorkItemProperty::HintLightWeight_t) {
  return policy;
}
}  // namespace Experimental

template <class T, std::size_t N>
struct Array {
  T elements[N];
  KOKKOS_FORCEINLINE_FUNCTION constexpr T& operator[](std::size_t i) { return elements[i]; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr const T& operator[](std::size_t i) const {
    return elements[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr std::size_t size() { return N; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr T* data() { return elements; }
  KOKKOS_FORCEINLINE_FUNCTION constexpr const T* data() const { return elements; }
};

struct AllEntries {};
inline constexpr AllEntries ALL{};
enum { Unmanaged = 1, Restrict = 2 };
template <unsigned>
struct MemoryTraits {};
struct WithoutInitializingTag {};
inline constexpr WithoutInitializingTag WithoutInitializing{};

}  // namespace Kokkos
