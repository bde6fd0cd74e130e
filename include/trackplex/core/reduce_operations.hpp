// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/number.hpp>

#include <concepts>
#include <limits>

namespace trackplex {

/// Operation of a reduction: the sum. Without items: 0.
struct Sum {
  /// Combines two partial results.
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static N combine(N a, N b) {
    return a + b;
  }
  /// Returns the start value, which leaves a result unchanged.
  template <Scalar T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() {
    return T{};
  }
};

/// Operation of a reduction: the smallest value; NaNs are ignored. Without items: the largest
/// number (infinity for floating point).
struct Min {
  /// Returns the smaller of two partial results.
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static N combine(N a, N b) {
    return min(a, b);
  }
  /// Returns the start value, which leaves a result unchanged.
  template <Scalar T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() {
    if constexpr (std::floating_point<T>) return Kokkos::Experimental::infinity<T>::value;
    return Kokkos::Experimental::finite_max<T>::value;
  }
};

/// Operation of a reduction: the largest value; NaNs are ignored. Without items: the smallest
/// number (-infinity for floating point).
struct Max {
  /// Returns the larger of two partial results.
  template <class N>
  KOKKOS_FORCEINLINE_FUNCTION static N combine(N a, N b) {
    return max(a, b);
  }
  /// Returns the start value, which leaves a result unchanged.
  template <Scalar T>
  KOKKOS_FORCEINLINE_FUNCTION static constexpr T identity() {
    if constexpr (std::floating_point<T>) return -Kokkos::Experimental::infinity<T>::value;
    return Kokkos::Experimental::finite_min<T>::value;
  }
};

/// Operation of a reduction of several components: one operation for each, `Each<Sum, Min, Max>`.
template <class... Operations>
struct Each {};

namespace detail {

template <class Operation, int Component>
struct OperationOf {
  using type = Operation;
};
template <class First, class... Others, int Component>
struct OperationOf<Each<First, Others...>, Component>
    : OperationOf<Each<Others...>, Component - 1> {};
template <class First, class... Others>
struct OperationOf<Each<First, Others...>, 0> {
  using type = First;
};

/// Calls f(component, operation) for the components C to Components - 1.
template <class Operation, int Components, int C = 0, class F>
KOKKOS_FORCEINLINE_FUNCTION void for_each_component(const F& f) {
  if constexpr (C < Components) {
    f(C, typename OperationOf<Operation, C>::type{});
    for_each_component<Operation, Components, C + 1>(f);
  }
}

}  // namespace detail
}  // namespace trackplex
