// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/detail/simd_register.hpp>
#include <trackplex/core/number.hpp>

#include <bit>

namespace trackplex {

/// Result of a comparison of lanes of `ElementBytes`: all bits of a lane set, or none.
template <int ElementBytes, int W>
class LaneMask {
  using Layout = detail::LaneLayout<ElementBytes, W>;
  using Integer = typename detail::SignedInteger<ElementBytes>::type;

 public:
  using Register = typename detail::SimdRegister<Integer, Layout::register_bytes>::type;
  static constexpr int parts = Layout::parts;
  detail::RegisterArray<Integer, Layout::register_bytes, parts> part;

  LaneMask() = default;
  TRACKPLEX_LANES_INLINE LaneMask(bool value) {
    for (auto& p : part) p = Register{} - (value ? Integer{1} : Integer{0});
  }

  friend TRACKPLEX_LANES_INLINE LaneMask operator&(LaneMask a, LaneMask b) {
    for (int i = 0; i < parts; ++i) a.part[i] &= b.part[i];
    return a;
  }
  friend TRACKPLEX_LANES_INLINE LaneMask operator|(LaneMask a, LaneMask b) {
    for (int i = 0; i < parts; ++i) a.part[i] |= b.part[i];
    return a;
  }
  friend TRACKPLEX_LANES_INLINE LaneMask operator^(LaneMask a, LaneMask b) {
    for (int i = 0; i < parts; ++i) a.part[i] ^= b.part[i];
    return a;
  }
  friend TRACKPLEX_LANES_INLINE LaneMask operator!(LaneMask a) {
    for (int i = 0; i < parts; ++i) a.part[i] = ~a.part[i];
    return a;
  }
  friend TRACKPLEX_LANES_INLINE LaneMask operator&&(LaneMask a, LaneMask b) { return a & b; }
  friend TRACKPLEX_LANES_INLINE LaneMask operator||(LaneMask a, LaneMask b) { return a | b; }
  TRACKPLEX_LANES_INLINE LaneMask& operator&=(LaneMask b) { return *this = *this & b; }
  TRACKPLEX_LANES_INLINE LaneMask& operator|=(LaneMask b) { return *this = *this | b; }

  /// Bit i is set where lane i is.
  friend TRACKPLEX_LANES_INLINE unsigned bits_of(LaneMask a) {
    unsigned bits = 0;
    for (int i = 0; i < parts; ++i) bits |= part_bits(a.part[i]) << (i * Layout::part_width);
    return bits;
  }
  friend TRACKPLEX_LANES_INLINE bool any_of(LaneMask a) {
    for (int i = 1; i < parts; ++i) a.part[0] |= a.part[i];
    return part_bits(a.part[0]) != 0;
  }
  friend TRACKPLEX_LANES_INLINE bool none_of(LaneMask a) { return !any_of(a); }
  friend TRACKPLEX_LANES_INLINE bool all_of(LaneMask a) { return !any_of(!a); }
  friend TRACKPLEX_LANES_INLINE int count_of(LaneMask a) { return std::popcount(bits_of(a)); }
  friend TRACKPLEX_LANES_INLINE int first_of(LaneMask a) { return std::countr_zero(bits_of(a)); }
  friend TRACKPLEX_LANES_INLINE int last_of(LaneMask a) {
    return int(std::bit_width(bits_of(a))) - 1;
  }
  friend TRACKPLEX_LANES_INLINE bool extract(LaneMask a, int lane) {
    return (bits_of(a) >> lane) & 1u;
  }

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

// The functions above, which masks find as friends of their class, for qualified calls.
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE unsigned bits_of(LaneMask<ElementBytes, W> mask) {
  return bits_of(mask);
}
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE bool any_of(LaneMask<ElementBytes, W> mask) {
  return any_of(mask);
}
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE bool none_of(LaneMask<ElementBytes, W> mask) {
  return none_of(mask);
}
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE bool all_of(LaneMask<ElementBytes, W> mask) {
  return all_of(mask);
}
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE int count_of(LaneMask<ElementBytes, W> mask) {
  return count_of(mask);
}
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE int first_of(LaneMask<ElementBytes, W> mask) {
  return first_of(mask);
}
template <int ElementBytes, int W>
TRACKPLEX_LANES_INLINE int last_of(LaneMask<ElementBytes, W> mask) {
  return last_of(mask);
}

}  // namespace trackplex
