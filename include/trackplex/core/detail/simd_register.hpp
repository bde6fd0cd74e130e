// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The registers of lanes: the compiler's vector types, as many as W elements need.

#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>

#if defined(__AVX__) || defined(__SSE2__)
#include <immintrin.h>
#endif

/// Specifier of the functions of lanes. They throw nothing and say so: in a function that may throw
/// g++ 12 takes an operation under a mask for a call that may, keeps it where its result is unused,
/// and crashes when it vectorises around it (12.2, -O2 and -O3 for AVX-512: "internal compiler
/// error: Segmentation fault" during the pass slp).
#define TRACKPLEX_LANES_INLINE inline __attribute__((always_inline, nothrow))

/// A statement for each of n registers, i = 0, 1, ...: not as a loop, which g++ unrolls late and
/// keeps in memory what it indexes until then. (nvcc fails on the usual do ... while around it.)
#define TRACKPLEX_FOR_PARTS(i, n, ...) \
  {                                    \
    constexpr int i = 0;               \
    __VA_ARGS__;                       \
  }                                    \
  if constexpr ((n) > 1) {             \
    constexpr int i = 1;               \
    __VA_ARGS__;                       \
  }                                    \
  if constexpr ((n) > 2) {             \
    for (int i = 2; i < (n); ++i) {    \
      __VA_ARGS__;                     \
    }                                  \
  }                                    \
  static_assert(true)

namespace trackplex {

/// Bytes of the widest SIMD register that the compiler may use. nvcc 13.0 crashes on kernels with
/// registers of 64 bytes.
#if defined(__AVX512F__) && !defined(__NVCC__)
inline constexpr int simd_register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int simd_register_bytes = 32;
#else
inline constexpr int simd_register_bytes = 16;
#endif

namespace detail {

/// A SIMD register of `Bytes` bytes of T.
template <class T, int Bytes>
struct SimdRegister {
  typedef T type __attribute__((vector_size(Bytes)));
};

/// The registers of lanes. nvcc refuses classes that contain vectors as variables of host-device
/// functions, whether or not the device calls these with lanes: for nvcc they are bytes of the same
/// size and alignment, which host functions see as registers. (A vector among the template
/// arguments of a member counts, too.)
#if defined(__NVCC__)
template <class T, int Bytes, int Parts>
class RegisterArray {
 public:
  typedef T Seen __attribute__((vector_size(Bytes), may_alias));
  TRACKPLEX_LANES_INLINE Seen& operator[](int i) { return begin()[i]; }
  TRACKPLEX_LANES_INLINE const Seen& operator[](int i) const { return begin()[i]; }
  TRACKPLEX_LANES_INLINE Seen* begin() { return reinterpret_cast<Seen*>(bytes_); }
  TRACKPLEX_LANES_INLINE Seen* end() { return begin() + Parts; }
  TRACKPLEX_LANES_INLINE const Seen* begin() const { return reinterpret_cast<const Seen*>(bytes_); }
  TRACKPLEX_LANES_INLINE const Seen* end() const { return begin() + Parts; }

 private:
  alignas(Bytes) unsigned char bytes_[Parts * Bytes];
};
#else
template <class T, int Bytes, int Parts>
using RegisterArray = typename SimdRegister<T, Bytes>::type[Parts];
#endif

/// Distribution of W elements of `ElementBytes` bytes over registers.
template <int ElementBytes, int W>
struct LaneLayout {
  static_assert(W > 1 && std::has_single_bit(unsigned(W)),
                "A lane count is a power of two; one lane is a plain scalar.");
  static constexpr int bytes = ElementBytes * W;
  static constexpr int register_bytes = bytes < simd_register_bytes ? bytes : simd_register_bytes;
  static constexpr int parts = bytes / register_bytes;
  static constexpr int part_width = W / parts;
};

/// Calls f(integral_constant<int, 0>) ... f(integral_constant<int, N - 1>).
template <int N, class F>
TRACKPLEX_LANES_INLINE constexpr void unrolled(F&& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<int, I>{}), ...); }
  (std::make_integer_sequence<int, N>{});
}

}  // namespace detail

}  // namespace trackplex
