// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The class `Lanes`: see core/lanes.hpp.

#include <trackplex/core/lane_mask.hpp>

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 128  // loops after a return that some register sizes take
#endif
namespace trackplex {

/// W numbers of type T with elementwise arithmetic.
template <Scalar T, int W>
class Lanes {
  using Layout = detail::LaneLayout<sizeof(T), W>;

 public:
  using Register = typename detail::SimdRegister<T, Layout::register_bytes>::type;
  using Mask = LaneMask<sizeof(T), W>;
  static constexpr int parts = Layout::parts;
  static constexpr int part_width = Layout::part_width;
  detail::RegisterArray<T, Layout::register_bytes, parts> part;

  Lanes() = default;

  /// The same value in all lanes.
  template <Scalar U>
  requires(std::integral<U> || (std::floating_point<T> &&
                                sizeof(U) <= sizeof(T))) TRACKPLEX_LANES_INLINE Lanes(U value) {
    const Register all = broadcast(static_cast<T>(value));
    TRACKPLEX_FOR_PARTS(i, parts, part[i] = all);
  }

  /// A number of higher precision would hide a rounding: convert it, Real(0.5) or 0.5f.
  template <Scalar U>
  requires(std::floating_point<U> && !(std::floating_point<T> && sizeof(U) <= sizeof(T)))
      Lanes(U value)
  = delete;

#define TRACKPLEX_LANES_BINARY(op)                                     \
  friend TRACKPLEX_LANES_INLINE Lanes operator op(Lanes a, Lanes b) {  \
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = a.part[i] op b.part[i]); \
    return a;                                                          \
  }                                                                    \
  TRACKPLEX_LANES_INLINE Lanes& operator op##=(Lanes b) { return *this = *this op b; }
  TRACKPLEX_LANES_BINARY(+)
  TRACKPLEX_LANES_BINARY(-)
  TRACKPLEX_LANES_BINARY(*)
  TRACKPLEX_LANES_BINARY(/)
  TRACKPLEX_LANES_BINARY(&)
  TRACKPLEX_LANES_BINARY(|)
  TRACKPLEX_LANES_BINARY(^)
#undef TRACKPLEX_LANES_BINARY

#define TRACKPLEX_LANES_COMPARE(op)                                                        \
  friend TRACKPLEX_LANES_INLINE Mask operator op(Lanes a, Lanes b) {                       \
    Mask mask;                                                                             \
    TRACKPLEX_FOR_PARTS(i, parts,                                                          \
                        mask.part[i] = (typename Mask::Register)(a.part[i] op b.part[i])); \
    return mask;                                                                           \
  }
  TRACKPLEX_LANES_COMPARE(<)
  TRACKPLEX_LANES_COMPARE(<=)
  TRACKPLEX_LANES_COMPARE(>)
  TRACKPLEX_LANES_COMPARE(>=)
  TRACKPLEX_LANES_COMPARE(==)
  TRACKPLEX_LANES_COMPARE(!=)
#undef TRACKPLEX_LANES_COMPARE

  friend TRACKPLEX_LANES_INLINE Lanes operator-(Lanes a) {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = -a.part[i]);
    return a;
  }
  friend TRACKPLEX_LANES_INLINE Lanes operator~(Lanes a) requires std::integral<T> {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = ~a.part[i]);
    return a;
  }
  friend TRACKPLEX_LANES_INLINE Lanes operator<<(Lanes a, int count) requires std::integral<T> {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = a.part[i] << count);
    return a;
  }
  friend TRACKPLEX_LANES_INLINE Lanes operator>>(Lanes a, int count) requires std::integral<T> {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = a.part[i] >> count);
    return a;
  }

  friend TRACKPLEX_LANES_INLINE Lanes select(Mask mask, Lanes if_true, Lanes if_false) {
    TRACKPLEX_FOR_PARTS(i, parts,
                        if_true.part[i] = mask.part[i] ? if_true.part[i] : if_false.part[i]);
    return if_true;
  }
  friend TRACKPLEX_LANES_INLINE Lanes min(Lanes a, Lanes b) { return select(b < a, b, a); }
  friend TRACKPLEX_LANES_INLINE Lanes max(Lanes a, Lanes b) { return select(a < b, b, a); }

  friend TRACKPLEX_LANES_INLINE Lanes fma(Lanes a, Lanes b,
                                          Lanes c) requires std::floating_point<T> {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = part_fma(a.part[i], b.part[i], c.part[i]));
    return a;
  }
  friend TRACKPLEX_LANES_INLINE Lanes sqrt(Lanes a) requires std::floating_point<T> {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = part_sqrt(a.part[i]));
    return a;
  }
  friend TRACKPLEX_LANES_INLINE Lanes abs(Lanes a) {
    if constexpr (std::floating_point<T>) {
      using I = typename Mask::Register;
      constexpr auto sign_bit =
          std::numeric_limits<typename detail::SignedInteger<sizeof(T)>::type>::min();
      TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = (Register)((I)a.part[i] & ~(I{} + sign_bit)));
      return a;
    } else {
      return select(a < Lanes(T{}), -a, a);
    }
  }
  friend TRACKPLEX_LANES_INLINE Lanes copysign(Lanes magnitude,
                                               Lanes sign) requires std::floating_point<T> {
    using I = typename Mask::Register;
    constexpr auto sign_bit =
        std::numeric_limits<typename detail::SignedInteger<sizeof(T)>::type>::min();
    // scalar masks: CUDA 13.0's compiler crashes on masks of 64 bytes
    TRACKPLEX_FOR_PARTS(i, parts,
                        magnitude.part[i] = (Register)(((I)magnitude.part[i] & ~sign_bit) |
                                                       ((I)sign.part[i] & sign_bit)));
    return magnitude;
  }

  friend TRACKPLEX_LANES_INLINE Lanes
  multiply_low_halves(Lanes a, Lanes b) requires std::same_as<T, std::uint64_t> {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = part_multiply_low_halves(a.part[i], b.part[i]));
    return a;
  }
  friend TRACKPLEX_LANES_INLINE void multiply_wide(
      Lanes a, Lanes b, Lanes& high, Lanes& low) requires std::same_as<T, std::uint32_t> {
    TRACKPLEX_FOR_PARTS(i, parts,
                        part_multiply_wide(a.part[i], b.part[i], high.part[i], low.part[i]));
  }

  friend TRACKPLEX_LANES_INLINE T extract(const Lanes& a, int lane) {
    return a.part[lane / part_width][lane % part_width];
  }
// g++ 12 for aarch64 takes registers that are filled element by element for uninitialized.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
  friend TRACKPLEX_LANES_INLINE void insert(Lanes& a, int lane, T value) {
    a.part[lane / part_width][lane % part_width] = value;
  }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  friend TRACKPLEX_LANES_INLINE T sum_of(Lanes a) {
    return halved(a, [](T x, T y) { return x + y; });
  }
  friend TRACKPLEX_LANES_INLINE T min_of(Lanes a) {
    return halved(a, [](T x, T y) { return y < x ? y : x; });
  }
  friend TRACKPLEX_LANES_INLINE T max_of(Lanes a) {
    return halved(a, [](T x, T y) { return x < y ? y : x; });
  }

 private:
  static TRACKPLEX_LANES_INLINE Register broadcast(T value) {
#if defined(__NVCC__)
    // With --expt-relaxed-constexpr nvcc fails on a vector in a lambda, which is implicitly
    // constexpr.
    Register all = {};
    for (int i = 0; i < part_width; ++i) all[i] = value;
    return all;
#else
    return [&]<int... I>(std::integer_sequence<int, I...>) { return Register{((void)I, value)...}; }
    (std::make_integer_sequence<int, part_width>{});
#endif
  }

  /// Combines lane i with lane i + W/2, then i + W/4, ..., whatever the registers are.
  template <class F>
  static TRACKPLEX_LANES_INLINE T halved(const Lanes& a, F combine) {
    std::array<T, W> x;
    detail::unrolled<W>([&](auto i) { x[i] = extract(a, i); });
    return halved<W / 2>(x, combine);
  }
  template <int Half, class F>
  static TRACKPLEX_LANES_INLINE T halved(std::array<T, W>& x, F combine) {
    detail::unrolled<Half>([&](auto i) { x[i] = combine(x[i], x[i + Half]); });
    if constexpr (Half > 1) return halved<Half / 2>(x, combine);
    return x[0];
  }

  static TRACKPLEX_LANES_INLINE Register part_fma(Register a, Register b, Register c) {
    [[maybe_unused]] constexpr int bytes = Layout::register_bytes;
    [[maybe_unused]] constexpr bool is_float = std::is_same_v<T, float>;
#if defined(__AVX512F__)
    if constexpr (bytes == 64 && is_float)
      return (Register)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
    if constexpr (bytes == 64 && !is_float)
      return (Register)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#endif
#if defined(__FMA__)
    if constexpr (bytes == 32 && is_float)
      return (Register)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
    if constexpr (bytes == 32 && !is_float)
      return (Register)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
    if constexpr (bytes == 16 && is_float)
      return (Register)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
    if constexpr (bytes == 16 && !is_float)
      return (Register)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
#endif
    for (int i = 0; i < part_width; ++i) a[i] = std::fma(a[i], b[i], c[i]);
    return a;
  }

  template <Scalar, int>
  friend class Lanes;

  static TRACKPLEX_LANES_INLINE Register part_multiply_low_halves(Register a, Register b) {
    [[maybe_unused]] constexpr int bytes = Layout::register_bytes;
#if defined(__AVX512F__)
    if constexpr (bytes == 64)
      return (Register)_mm512_maskz_mul_epu32(0xff, (__m512i)a, (__m512i)b);
#endif
#if defined(__AVX2__)
    if constexpr (bytes == 32) return (Register)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#endif
#if defined(__SSE2__)
    if constexpr (bytes == 16) return (Register)_mm_mul_epu32((__m128i)a, (__m128i)b);
#endif
    const Register low_half = Register{} + std::uint64_t{0xffffffffu};
    return (a & low_half) * (b & low_half);
  }

  static TRACKPLEX_LANES_INLINE void part_multiply_wide(Register a, Register b, Register& high,
                                                        Register& low) {
    if constexpr (W == 2) {
      for (int i = 0; i < W; ++i) {
        std::uint32_t h, l;
        trackplex::multiply_wide(a[i], b[i], h, l);
        high[i] = h;
        low[i] = l;
      }
    } else {
      // Seen as 64-bit elements, the even elements are the low halves, the odd ones the high
      // halves.
      using Wide = Lanes<std::uint64_t, W / 2>;
      using R = typename Wide::Register;
      const Register even = (Register)Wide::part_multiply_low_halves((R)a, (R)b);
      const Register odd = (Register)Wide::part_multiply_low_halves((R)a >> 32, (R)b >> 32);
      if constexpr (part_width == 4) {
        high = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
        low = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
      } else if constexpr (part_width == 8) {
        high = __builtin_shufflevector(even, odd, 1, 9, 3, 11, 5, 13, 7, 15);
        low = __builtin_shufflevector(even, odd, 0, 8, 2, 10, 4, 12, 6, 14);
      } else {
        high = __builtin_shufflevector(even, odd, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29,
                                       15, 31);
        low = __builtin_shufflevector(even, odd, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28,
                                      14, 30);
      }
    }
  }

  static TRACKPLEX_LANES_INLINE Register part_sqrt(Register a) {
    [[maybe_unused]] constexpr int bytes = Layout::register_bytes;
    [[maybe_unused]] constexpr bool is_float = std::is_same_v<T, float>;
#if defined(__AVX512F__)
    if constexpr (bytes == 64 && is_float) return (Register)_mm512_maskz_sqrt_ps(0xffff, (__m512)a);
    if constexpr (bytes == 64 && !is_float) return (Register)_mm512_maskz_sqrt_pd(0xff, (__m512d)a);
#endif
#if defined(__AVX__)
    if constexpr (bytes == 32 && is_float) return (Register)_mm256_sqrt_ps((__m256)a);
    if constexpr (bytes == 32 && !is_float) return (Register)_mm256_sqrt_pd((__m256d)a);
#endif
#if defined(__SSE2__)
    if constexpr (bytes == 16 && is_float) return (Register)_mm_sqrt_ps((__m128)a);
    if constexpr (bytes == 16 && !is_float) return (Register)_mm_sqrt_pd((__m128d)a);
#endif
    for (int i = 0; i < part_width; ++i) a[i] = std::sqrt(a[i]);
    return a;
  }
};

}  // namespace trackplex
#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif
