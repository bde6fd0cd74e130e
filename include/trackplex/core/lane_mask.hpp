// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/detail/simd_register.hpp>
#include <trackplex/core/number.hpp>

#include <bit>

namespace trackplex {

/// Result of a comparison of W lanes, with elements of `ElementBytes` bytes: in each lane all bits
/// are set, or none.
template <int ElementBytes, int W>
class LaneMask {
  using Layout = detail::LaneLayout<ElementBytes, W>;
  using Integer = typename detail::SignedInteger<ElementBytes>::type;

 public:
  /// SIMD register of a part, a vector type of the compiler.
  using Register = typename detail::SimdRegister<Integer, Layout::register_bytes>::type;
  static constexpr int parts = Layout::parts;                          ///< Number of registers.
  detail::RegisterArray<Integer, Layout::register_bytes, parts> part;  ///< The registers.

  LaneMask() = default;
  /// Sets all lanes, or none.
  TRACKPLEX_LANES_INLINE LaneMask(bool value) {
    const Register all = Register{} - (value ? Integer{1} : Integer{0});
    TRACKPLEX_FOR_PARTS(i, parts, part[i] = all);
  }

  /// Lanes set in both.
  friend TRACKPLEX_LANES_INLINE LaneMask operator&(LaneMask a, LaneMask b) {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] &= b.part[i]);
    return a;
  }
  /// Lanes set in either.
  friend TRACKPLEX_LANES_INLINE LaneMask operator|(LaneMask a, LaneMask b) {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] |= b.part[i]);
    return a;
  }
  /// Lanes set in exactly one.
  friend TRACKPLEX_LANES_INLINE LaneMask operator^(LaneMask a, LaneMask b) {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] ^= b.part[i]);
    return a;
  }
  /// Lanes that are not set.
  friend TRACKPLEX_LANES_INLINE LaneMask operator!(LaneMask a) {
    TRACKPLEX_FOR_PARTS(i, parts, a.part[i] = ~a.part[i]);
    return a;
  }
  /// Lanes set in both; unlike with `bool`, both operands are always evaluated.
  friend TRACKPLEX_LANES_INLINE LaneMask operator&&(LaneMask a, LaneMask b) { return a & b; }
  /// Lanes set in either; unlike with `bool`, both operands are always evaluated.
  friend TRACKPLEX_LANES_INLINE LaneMask operator||(LaneMask a, LaneMask b) { return a | b; }
  /// Keeps the lanes that are also set in b.
  TRACKPLEX_LANES_INLINE LaneMask& operator&=(LaneMask b) { return *this = *this & b; }
  /// Sets the lanes that are set in b.
  TRACKPLEX_LANES_INLINE LaneMask& operator|=(LaneMask b) { return *this = *this | b; }

  /// Returns a number whose bit i is set if lane i is.
  friend TRACKPLEX_LANES_INLINE unsigned bits_of(LaneMask a) {
    unsigned bits = 0;
    TRACKPLEX_FOR_PARTS(i, parts, bits |= part_bits(a.part[i]) << (i * Layout::part_width));
    return bits;
  }
  /// Whether any lane is set.
  friend TRACKPLEX_LANES_INLINE bool any_of(LaneMask a) {
    TRACKPLEX_FOR_PARTS(i, parts, if (i > 0) a.part[0] |= a.part[i]);
    return part_bits(a.part[0]) != 0;
  }
  /// Whether no lane is set.
  friend TRACKPLEX_LANES_INLINE bool none_of(LaneMask a) { return !any_of(a); }
  /// Whether all lanes are set.
  friend TRACKPLEX_LANES_INLINE bool all_of(LaneMask a) { return !any_of(!a); }
  /// Number of set lanes.
  friend TRACKPLEX_LANES_INLINE int count_of(LaneMask a) { return std::popcount(bits_of(a)); }
  /// First set lane; W or more where there is none.
  friend TRACKPLEX_LANES_INLINE int first_of(LaneMask a) { return std::countr_zero(bits_of(a)); }
  /// Last set lane; -1 where there is none.
  friend TRACKPLEX_LANES_INLINE int last_of(LaneMask a) {
    return int(std::bit_width(bits_of(a))) - 1;
  }
  /// Whether a lane is set.
  friend TRACKPLEX_LANES_INLINE bool extract(LaneMask a, int lane) {
    return (bits_of(a) >> lane) & 1u;
  }

  /// Calls `f(lane)` for each set lane, in order.
  template <class F>
  friend TRACKPLEX_LANES_INLINE void for_each_lane(LaneMask a, F&& f) {
    for (unsigned bits = bits_of(a); bits != 0; bits &= bits - 1) f(std::countr_zero(bits));
  }

 private:
  static TRACKPLEX_LANES_INLINE unsigned part_bits(Register a) {
#if defined(__AVX512F__)
    if constexpr (Layout::register_bytes == 64 && ElementBytes == 4)
      return _mm512_test_epi32_mask((__m512i)a, (__m512i)a);
    if constexpr (Layout::register_bytes == 64 && ElementBytes == 8)
      return _mm512_test_epi64_mask((__m512i)a, (__m512i)a);
#endif
#if defined(__AVX__)
    if constexpr (Layout::register_bytes == 32 && ElementBytes == 4)
      return _mm256_movemask_ps((__m256)a);
    if constexpr (Layout::register_bytes == 32 && ElementBytes == 8)
      return _mm256_movemask_pd((__m256d)a);
#endif
#if defined(__SSE2__)
    if constexpr (Layout::register_bytes == 16 && ElementBytes == 4)
      return _mm_movemask_ps((__m128)a);
    if constexpr (Layout::register_bytes == 16 && ElementBytes == 8)
      return _mm_movemask_pd((__m128d)a);
#endif
    unsigned bits = 0;
    for (int i = 0; i < Layout::part_width; ++i) bits |= unsigned(a[i] != 0) << i;
    return bits;
  }
};

// The friends above again, for qualified calls: trackplex::any_of(mask).

/// Returns a number whose bit i is set if lane i of the mask is.
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE unsigned bits_of(LaneMask<ElementBytes, W> mask) {
  return bits_of(mask);
}
/// Whether any lane of the mask is set.
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE bool any_of(LaneMask<ElementBytes, W> mask) {
  return any_of(mask);
}
/// Whether no lane of the mask is set.
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE bool none_of(LaneMask<ElementBytes, W> mask) {
  return none_of(mask);
}
/// Whether all lanes of the mask are set.
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE bool all_of(LaneMask<ElementBytes, W> mask) {
  return all_of(mask);
}
/// Number of set lanes of the mask.
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE int count_of(LaneMask<ElementBytes, W> mask) {
  return count_of(mask);
}
/// First set lane of the mask; W or more where there is none.
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE int first_of(LaneMask<ElementBytes, W> mask) {
  return first_of(mask);
}
/// Last set lane of the mask; -1 where there is none.
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE int last_of(LaneMask<ElementBytes, W> mask) {
  return last_of(mask);
}

}  // namespace trackplex
