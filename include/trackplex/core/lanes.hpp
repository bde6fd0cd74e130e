// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// `Lanes<T, W>`: W numbers that host kernels compute with at once, held in SIMD registers.
///
/// The operations are elementwise, so the width never changes a result. Vector types and intrinsics
/// are spelled in core's lane headers only. All of it is host code: a kernel template may name it
/// in a KOKKOS_FUNCTION because device instantiations use scalars.

#include <trackplex/core/detail/lanes_class.hpp>

#include <concepts>
#include <type_traits>

namespace trackplex {

namespace detail {
template <Scalar T, int W>
struct LanesOrScalar {
  using type = Lanes<T, W>;
};
template <Scalar T>
struct LanesOrScalar<T, 1> {
  using type = T;
};
template <class N>
inline constexpr bool is_lanes = false;
template <Scalar T, int W>
inline constexpr bool is_lanes<Lanes<T, W>> = true;
}  // namespace detail

/// W numbers of type T: `Lanes<T, W>`, or T itself for one lane.
template <Scalar T, int W>
using LanesOf = typename detail::LanesOrScalar<T, W>::type;

template <class N>
concept LaneNumber = detail::is_lanes<N>;

template <Scalar T, int W>
struct NumberTraits<Lanes<T, W>> {
  using ScalarType = T;
  using MaskType = LaneMask<sizeof(T), W>;
  template <Scalar U>
  using Rebind = Lanes<U, W>;
  static constexpr int width = W;
};

// The functions above, which arguments find as friends of their class, for qualified calls
// -----------------------------------------------------------------------------------------

template <LaneNumber N>
requires std::floating_point<ScalarOf<N>> TRACKPLEX_LANES_INLINE N fma(N a,
                                                                       std::type_identity_t<N> b,
                                                                       std::type_identity_t<N> c) {
  return fma(a, b, c);
}
template <LaneNumber N>
requires std::floating_point<ScalarOf<N>> TRACKPLEX_LANES_INLINE N sqrt(N a) { return sqrt(a); }
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N abs(N a) {
  return abs(a);
}
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N min(N a, std::type_identity_t<N> b) {
  return min(a, b);
}
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N max(N a, std::type_identity_t<N> b) {
  return max(a, b);
}
template <LaneNumber N>
requires std::floating_point<ScalarOf<N>> TRACKPLEX_LANES_INLINE N
copysign(N magnitude, std::type_identity_t<N> sign) {
  return copysign(magnitude, sign);
}
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N select(std::type_identity_t<MaskOf<N>> mask, N if_true,
                                std::type_identity_t<N> if_false) {
  return select(mask, if_true, if_false);
}
template <LaneNumber N>
TRACKPLEX_LANES_INLINE ScalarOf<N> extract(const N& a, int lane) {
  return extract(a, lane);
}
template <LaneNumber N>
TRACKPLEX_LANES_INLINE void insert(N& a, int lane, ScalarOf<N> value) {
  insert(a, lane, value);
}
template <LaneNumber N>
TRACKPLEX_LANES_INLINE ScalarOf<N> sum_of(N a) {
  return sum_of(a);
}
template <LaneNumber N>
TRACKPLEX_LANES_INLINE ScalarOf<N> min_of(N a) {
  return min_of(a);
}
template <LaneNumber N>
TRACKPLEX_LANES_INLINE ScalarOf<N> max_of(N a) {
  return max_of(a);
}

// Conversions and index lanes
// -----------------------------------------------------------------------------------------

/// Elementwise static_cast.
template <LaneNumber To, Scalar T, int W>
TRACKPLEX_LANES_INLINE To convert(const Lanes<T, W>& a) {
  static_assert(width_of<To> == W, "convert keeps the number of lanes.");
  To to;
  if constexpr (sizeof(T) == sizeof(ScalarOf<To>)) {
    for (int i = 0; i < To::parts; ++i)
      to.part[i] = __builtin_convertvector(a.part[i], typename To::Register);
  } else {
    T elements[W];
    __builtin_memcpy(elements, &a.part, sizeof(elements));
    for (int i = 0; i < To::parts; ++i) {
      typename detail::SimdRegister<T, int(sizeof(T)) * To::part_width>::type part;
      __builtin_memcpy(&part, elements + i * To::part_width, sizeof(part));
      to.part[i] = __builtin_convertvector(part, typename To::Register);
    }
  }
  return to;
}

template <LaneNumber To, Scalar T, int W>
TRACKPLEX_LANES_INLINE To bit_cast(const Lanes<T, W>& a) {
  static_assert(sizeof(To) == sizeof(a) && width_of<To> == W,
                "bit_cast keeps the size of an element.");
  To to;
  for (int i = 0; i < To::parts; ++i) to.part[i] = (typename To::Register)a.part[i];
  return to;
}

template <LaneNumber N>
TRACKPLEX_LANES_INLINE N lane_index() {
  N a;
  for (int i = 0; i < width_of<N>; ++i) insert(a, i, static_cast<ScalarOf<N>>(i));
  return a;
}

template <LaneNumber N>
TRACKPLEX_LANES_INLINE MaskOf<N> first_lanes(int n) {
  using I = IntegerOf<N>;
  return lane_index<I>() < I(n);
}

}  // namespace trackplex
