// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// `Lanes<T, W>`: W numbers of type T in SIMD registers, the number type of kernels on
/// hosts. W is a power of two.
///
/// A `Lanes` is made from one number (`Lanes<float, 8>(2)`, the same in all lanes; not from a
/// number of higher precision) or by the loads of lane_memory.hpp. It has the operators + - * / and
/// comparisons, which return a `LaneMask`, and for integers & | ^ ~ << >>. The operations are
/// elementwise: the width never changes a result. Only the lane headers of core use vector
/// types and intrinsics. All of it is host code: a kernel template may use it in a KOKKOS_FUNCTION
/// because device instantiations use scalars.

#include <trackplex/core/detail/lanes_class.hpp>

#include <concepts>
#include <cstdint>
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

/// Number type of W lanes of T: `Lanes<T, W>`, or T itself for one lane.
template <Scalar T, int W>
using LanesOf = typename detail::LanesOrScalar<T, W>::type;

/// `Lanes<T, W>` with any T and W.
template <class N>
concept LaneNumber = detail::is_lanes<N>;

/// Traits of lanes.
template <Scalar T, int W>
struct NumberTraits<Lanes<T, W>> {
  using ScalarType = T;                     ///< Type of an element.
  using MaskType = LaneMask<sizeof(T), W>;  ///< Result of a comparison.
  /// Lanes of another element type.
  template <Scalar U>
  using Rebind = Lanes<U, W>;
  static constexpr int width = W;  ///< Number of lanes.
};

// The friends of Lanes again, for qualified calls: trackplex::fma(a, b, c)
// -----------------------------------------------------------------------------------------

/// Returns a * b + c of each lane, with one rounding.
template <LaneNumber N>
requires std::floating_point<ScalarOf<N>> TRACKPLEX_LANES_INLINE N fma(N a,
                                                                       std::type_identity_t<N> b,
                                                                       std::type_identity_t<N> c) {
  return fma(a, b, c);
}
/// Returns the correctly rounded square root of each lane; NaN for negative arguments.
template <LaneNumber N>
requires std::floating_point<ScalarOf<N>> TRACKPLEX_LANES_INLINE N sqrt(N a) { return sqrt(a); }
/// Returns the absolute value of each lane.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N abs(N a) {
  return abs(a);
}
/// Returns the smaller argument in each lane; the first one if they are equal or unordered.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N min(N a, std::type_identity_t<N> b) {
  return min(a, b);
}
/// Returns the larger argument in each lane; the first one if they are equal or unordered.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N max(N a, std::type_identity_t<N> b) {
  return max(a, b);
}
/// Returns |magnitude| with the sign bit of `sign`, in each lane.
template <LaneNumber N>
requires std::floating_point<ScalarOf<N>> TRACKPLEX_LANES_INLINE N
copysign(N magnitude, std::type_identity_t<N> sign) {
  return copysign(magnitude, sign);
}
/// Returns `if_true` in the set lanes, `if_false` in the other lanes.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N select(std::type_identity_t<MaskOf<N>> mask, N if_true,
                                std::type_identity_t<N> if_false) {
  return select(mask, if_true, if_false);
}
/// Returns the number in one lane.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE ScalarOf<N> extract(const N& a, int lane) {
  return extract(a, lane);
}
/// Replaces the number in one lane.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE void insert(N& a, int lane, ScalarOf<N> value) {
  insert(a, lane, value);
}
/// Returns the sum over the lanes, by halving: lane i plus lane i + W/2, then i + W/4, and so on.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE ScalarOf<N> sum_of(N a) {
  return sum_of(a);
}
/// Returns the smallest number in the lanes, by halving as `sum_of`.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE ScalarOf<N> min_of(N a) {
  return min_of(a);
}
/// Returns the largest number in the lanes, by halving as `sum_of`.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE ScalarOf<N> max_of(N a) {
  return max_of(a);
}

// Conversions and index lanes
// -----------------------------------------------------------------------------------------

/// Converts each lane as static_cast does: to an integer it truncates towards zero.
template <LaneNumber To, Scalar T, int W>
TRACKPLEX_LANES_INLINE To convert(const Lanes<T, W>& a) {
  static_assert(width_of<To> == W, "convert keeps the number of lanes.");
  To to;
  if constexpr (sizeof(T) == sizeof(ScalarOf<To>)) {
    TRACKPLEX_FOR_PARTS(i, To::parts,
                        to.part[i] = __builtin_convertvector(a.part[i], typename To::Register));
  } else {
    T elements[W];
    __builtin_memcpy(elements, &a.part, sizeof(elements));
    TRACKPLEX_FOR_PARTS(i, To::parts, {
      typename detail::SimdRegister<T, int(sizeof(T)) * To::part_width>::type part;
      __builtin_memcpy(&part, elements + i * To::part_width, sizeof(part));
      to.part[i] = __builtin_convertvector(part, typename To::Register);
    });
  }
  return to;
}

/// Returns the same bits as lanes of another type with elements of equal size.
template <LaneNumber To, Scalar T, int W>
TRACKPLEX_LANES_INLINE To bit_cast(const Lanes<T, W>& a) {
  static_assert(sizeof(To) == sizeof(a) && width_of<To> == W,
                "bit_cast keeps the size of an element.");
  To to;
  TRACKPLEX_FOR_PARTS(i, To::parts, to.part[i] = (typename To::Register)a.part[i]);
  return to;
}

namespace detail {
/// Lanes of 32 bits as pairs, with the even lane in the lower half, and back.
template <int W>
TRACKPLEX_LANES_INLINE Lanes<std::uint64_t, W / 2> as_pairs(const Lanes<std::uint32_t, W>& a) {
  Lanes<std::uint64_t, W / 2> pairs;
  TRACKPLEX_FOR_PARTS(i, pairs.parts,
                      pairs.part[i] = (typename Lanes<std::uint64_t, W / 2>::Register) a.part[i]);
  return pairs;
}
template <int W>
TRACKPLEX_LANES_INLINE Lanes<std::uint32_t, 2 * W> as_elements(const Lanes<std::uint64_t, W>& a) {
  Lanes<std::uint32_t, 2 * W> elements;
  TRACKPLEX_FOR_PARTS(
      i, elements.parts,
      elements.part[i] = (typename Lanes<std::uint32_t, 2 * W>::Register) a.part[i]);
  return elements;
}
}  // namespace detail

/// Returns the lanes 0, 1, ..., W - 1.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE N lane_index() {
  N a;
  for (int i = 0; i < width_of<N>; ++i) insert(a, i, static_cast<ScalarOf<N>>(i));
  return a;
}

/// Returns the mask of the first `n` lanes.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE MaskOf<N> first_lanes(int n) {
  using I = IntegerOf<N>;
  return lane_index<I>() < I(n);
}

}  // namespace trackplex
