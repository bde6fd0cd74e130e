// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The number type of kernels. A kernel is a template on `Real`: a scalar on a device (or with one
/// lane), a `Lanes<T, W>` on a host. This header has the traits and concepts of both, and the
/// scalar form of every operation; lanes.hpp and lane_memory.hpp have the same operations on lanes.
/// In the comments a number has W lanes; for a scalar, W is 1.

#include <Kokkos_Core.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

#if defined(__FAST_MATH__)
#error \
    "Trackplex gives the same bits on every backend, which -ffast-math breaks: compile without it."
#endif
#if defined(__HIP__) && defined(__clang_major__) && __clang_major__ < 18
#error \
    "Trackplex gives the same bits on every backend, but this clang makes sqrt of AMD GPUs an instruction that is not correctly rounded: use clang 18 or newer (ROCm 6.2)."
#endif
#if defined(__NVCC__)
// nvcc defines no macro for --use_fast_math, but its code generator knows. With that option, or one
// of --ftz=true, --prec-div=false and --prec-sqrt=false, device code calls an undefined function:
// ptxas, or the linker, reports it by this name.
extern "C" __device__ int __nvvm_reflect(const char* option) noexcept;
extern "C" __device__ void trackplex_gives_the_same_bits_only_without_use_fast_math();
namespace {
__attribute__((used)) __device__ void trackplex_check_options_of_device_code() {
  if (__nvvm_reflect("__CUDA_FTZ") != 0 || __nvvm_reflect("__CUDA_PREC_DIV") == 0 ||
      __nvvm_reflect("__CUDA_PREC_SQRT") == 0)
    trackplex_gives_the_same_bits_only_without_use_fast_math();
}
}  // namespace
#endif
#if defined(__x86_64__) && !defined(__FMA__) && !defined(__CUDACC__) && !defined(__HIP__) && \
    !defined(TRACKPLEX_NO_FMA_WARNING)
#pragma message(                                                                                \
    "Trackplex: no fused multiply-add instruction, so that fma() is computed in software, ten " \
    "times slower. Add -march=native or -mfma, or define TRACKPLEX_NO_FMA_WARNING.")
#endif

namespace trackplex {

/// Arithmetic type of C++: an integer, `float`, `double` or `bool`.
template <class T>
concept Scalar = std::is_arithmetic_v<T>;

/// Traits of a kernel's number type; specialised for scalars here, for `Lanes` in lanes.hpp and for
/// `Counted` in counted.hpp.
template <class Number>
struct NumberTraits;

namespace detail {
template <std::size_t Bytes>
struct SignedInteger;
template <>
struct SignedInteger<1> {
  using type = std::int8_t;
};
template <>
struct SignedInteger<2> {
  using type = std::int16_t;
};
template <>
struct SignedInteger<4> {
  using type = std::int32_t;
};
template <>
struct SignedInteger<8> {
  using type = std::int64_t;
};
}  // namespace detail

/// Traits of scalars.
template <Scalar T>
struct NumberTraits<T> {
  using ScalarType = T;   ///< Type of an element.
  using MaskType = bool;  ///< Result of a comparison.
  /// Number type with another element type.
  template <Scalar U>
  using Rebind = U;
  static constexpr int width = 1;  ///< Number of lanes.
};

/// Element type of a number type: `float` for `float` and for `Lanes<float, 8>`.
template <class Number>
using ScalarOf = typename NumberTraits<Number>::ScalarType;

/// Result of comparing two numbers: `bool` or `LaneMask`.
template <class Number>
using MaskOf = typename NumberTraits<Number>::MaskType;

/// Number type of equal width with another element type.
template <class Number, Scalar U>
using Rebind = typename NumberTraits<Number>::template Rebind<U>;

/// Signed integers of the size of the elements of `Number`, so that their comparisons give the same
/// mask type.
template <class Number>
using IntegerOf = Rebind<Number, typename detail::SignedInteger<sizeof(ScalarOf<Number>)>::type>;

/// Unsigned integers of the size of the elements of `Number`.
template <class Number>
using UnsignedOf = Rebind<Number, std::make_unsigned_t<ScalarOf<IntegerOf<Number>>>>;

/// Number of lanes of a number type: 1 for a scalar.
template <class Number>
inline constexpr int width_of = NumberTraits<Number>::width;

/// Number type of a kernel: a scalar, `Lanes` or `Counted`.
template <class T>
concept Number = requires {
  typename NumberTraits<T>::ScalarType;
};

// Scalar forms
// --------------------------------------------------------------------------------------------------------

/// Returns `if_true` in the set lanes, `if_false` in the other lanes.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool mask, T if_true, std::type_identity_t<T> if_false) {
  return mask ? if_true : if_false;
}

/// Returns a * b + c with one rounding.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T fma(T a, std::type_identity_t<T> b, std::type_identity_t<T> c) {
  return std::fma(a, b, c);
}

/// Returns the correctly rounded square root; NaN for negative arguments.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T sqrt(T a) {
  return std::sqrt(a);
}

/// Returns the absolute value.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION T abs(T a) {
  if constexpr (std::floating_point<T>) return std::fabs(a);
  return a < T{} ? -a : a;
}

/// Returns the smaller argument; the first one if they are equal or unordered.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION T min(T a, std::type_identity_t<T> b) {
  return b < a ? b : a;
}

/// Returns the larger argument; the first one if they are equal or unordered.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION T max(T a, std::type_identity_t<T> b) {
  return a < b ? b : a;
}

/// Returns |magnitude| with the sign bit of `sign`.
template <std::floating_point T>
KOKKOS_FORCEINLINE_FUNCTION T copysign(T magnitude, std::type_identity_t<T> sign) {
  return std::copysign(magnitude, sign);
}

/// Converts as static_cast does: to an integer it truncates towards zero.
template <Scalar To, Scalar From>
KOKKOS_FORCEINLINE_FUNCTION To convert(From a) {
  return static_cast<To>(a);
}

/// Returns the 64-bit product of the low 32 bits of a and b.
KOKKOS_FORCEINLINE_FUNCTION constexpr std::uint64_t multiply_low_halves(std::uint64_t a,
                                                                        std::uint64_t b) {
  return (a & 0xffffffffu) * (b & 0xffffffffu);
}

/// Computes both halves of the 64-bit product of two 32-bit numbers.
KOKKOS_FORCEINLINE_FUNCTION constexpr void multiply_wide(std::uint32_t a, std::uint32_t b,
                                                         std::uint32_t& high, std::uint32_t& low) {
  const std::uint64_t product = std::uint64_t{a} * b;
  high = static_cast<std::uint32_t>(product >> 32);
  low = static_cast<std::uint32_t>(product);
}

/// Returns the same bits as a number of another type of equal size.
template <Number To, Scalar From>
KOKKOS_FORCEINLINE_FUNCTION To bit_cast(From a) {
  static_assert(sizeof(ScalarOf<To>) == sizeof(From), "bit_cast keeps the size of an element.");
  ScalarOf<To> to;
  __builtin_memcpy(&to, &a, sizeof(to));
  return To(to);
}

/// Whether any lane is set.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool any_of(bool mask) { return mask; }
/// Whether all lanes are set.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool all_of(bool mask) { return mask; }
/// Whether no lane is set.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool none_of(bool mask) { return !mask; }
/// Number of set lanes.
KOKKOS_FORCEINLINE_FUNCTION constexpr int count_of(bool mask) { return mask ? 1 : 0; }
/// Returns a number whose bit i is set if lane i is.
KOKKOS_FORCEINLINE_FUNCTION constexpr unsigned bits_of(bool mask) { return mask ? 1u : 0u; }
/// First set lane; W or more where there is none.
KOKKOS_FORCEINLINE_FUNCTION constexpr int first_of(bool mask) { return mask ? 0 : 1; }
/// Last set lane; -1 where there is none.
KOKKOS_FORCEINLINE_FUNCTION constexpr int last_of(bool mask) { return mask ? 0 : -1; }

/// Returns the number in one lane.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION T extract(T a, int /*lane*/) {
  return a;
}
/// Replaces the number in one lane.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION void insert(T& a, int /*lane*/, std::type_identity_t<T> value) {
  a = value;
}

/// Returns the sum over the lanes, by halving: lane i plus lane i + W/2, then i + W/4, and so on.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION T sum_of(T a) {
  return a;
}
/// Returns the smallest number in the lanes, by halving as `sum_of`.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION T min_of(T a) {
  return a;
}
/// Returns the largest number in the lanes, by halving as `sum_of`.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION T max_of(T a) {
  return a;
}

/// Returns the lanes 0, 1, ..., W - 1.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION constexpr T lane_index() {
  return T{0};
}

/// Returns the mask of the first `n` lanes.
template <Scalar T>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool first_lanes(int n) {
  return n > 0;
}

/// Calls `f(lane)` for each set lane, in order.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION void for_each_lane(bool mask, F&& f) {
  if (mask) f(0);
}

// Memory
// --------------------------------------------------------------------------------------------------------------

/// Returns the W elements at `p`, converted to the element type of `N`.
template <Scalar N, Scalar T>
KOKKOS_FORCEINLINE_FUNCTION N load(const T* p) {
  return static_cast<N>(*p);
}

/// Returns the first `n` elements at `p`, zero in the other lanes; nothing past them is read.
template <Scalar N, Scalar T>
KOKKOS_FORCEINLINE_FUNCTION N load_first(const T* p, int n) {
  return n > 0 ? static_cast<N>(*p) : N{};
}

/// Writes the W lanes to `p`, converted to its type.
template <Scalar T, Scalar N>
KOKKOS_FORCEINLINE_FUNCTION void store(T* p, N a) {
  *p = static_cast<T>(a);
}

/// Writes the first `n` lanes to `p`, and nothing past them.
template <Scalar T, Scalar N>
KOKKOS_FORCEINLINE_FUNCTION void store_first(T* p, N a, int n) {
  if (n > 0) *p = static_cast<T>(a);
}

/// Returns p[index] of each lane; every lane's index must be valid.
template <Scalar N, Scalar T, std::integral I>
KOKKOS_FORCEINLINE_FUNCTION N gather(const T* p, I index) {
  return static_cast<N>(p[index]);
}

/// Returns p[index] of the set lanes, zero in the other lanes, whose index is not used.
template <Scalar N, Scalar T, std::integral I>
KOKKOS_FORCEINLINE_FUNCTION N gather(const T* p, I index, bool mask) {
  return mask ? static_cast<N>(p[index]) : N{};
}

/// Does nothing: devices hide the latency of memory with other threads.
template <class T, std::integral I>
KOKKOS_FORCEINLINE_FUNCTION void prefetch(const T* /*p*/, I /*index*/) {}

/// Writes the set lanes to p[index]; if several lanes have the same index, the last one wins.
template <Scalar T, std::integral I, Scalar N>
KOKKOS_FORCEINLINE_FUNCTION void scatter(T* p, I index, N a, bool mask) {
  if (mask) p[index] = static_cast<T>(a);
}

/// Writes the set lanes to p, p + 1, ... without gaps. The memory at `p` must hold W elements:
/// elements after the written ones may be overwritten.
template <Scalar T, Scalar N>
KOKKOS_FORCEINLINE_FUNCTION void compress_store(T* p, N a, bool mask) {
  if (mask) *p = static_cast<T>(a);
}

/// Returns, for each lane, the number of set lanes before it.
template <Scalar N>
KOKKOS_FORCEINLINE_FUNCTION IntegerOf<N> lanes_before(bool /*mask*/) {
  return 0;
}

}  // namespace trackplex
