// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lanes to and from memory: loads and stores of consecutive elements, gathers and scatters by
/// index, and stores of the set lanes only. The scalar forms are in number.hpp. Elements in memory
/// may have another type than the lanes; they are converted as by static_cast. Addresses need only
/// the alignment of an element.

#include <trackplex/core/lanes.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace trackplex {

namespace detail {

/// Whether the compiler's vector conversion from elements of `Memory` to lanes of `Element`, or
/// back, takes few instructions.
template <class Memory, class Element>
inline constexpr bool has_vector_conversion = std::integral<Memory>&& std::integral<Element> &&
                                              sizeof(Memory) < sizeof(Element);

/// Elements in memory that fill one register of N.
template <class T, class N>
using PartInMemory = typename SimdRegister<T, int(sizeof(T)) * N::part_width>::type;

}  // namespace detail

/// Returns the W elements at `p`.
template <LaneNumber N, Scalar T>
TRACKPLEX_LANES_INLINE N load(const T* p) {
  N a;
  if constexpr (std::is_same_v<T, ScalarOf<N>>) {
    // register by register: g++ copies larger blocks in pieces, through the stack
    TRACKPLEX_FOR_PARTS(i, N::parts,
                        __builtin_memcpy(&a.part[i], p + i * N::part_width, sizeof(a.part[i])));
  } else if constexpr (detail::has_vector_conversion<T, ScalarOf<N>>) {
    TRACKPLEX_FOR_PARTS(i, N::parts, {
      detail::PartInMemory<T, N> part;
      __builtin_memcpy(&part, p + i * N::part_width, sizeof(part));
      a.part[i] = __builtin_convertvector(part, typename N::Register);
    });
  } else {
    for (int i = 0; i < width_of<N>; ++i) insert(a, i, static_cast<ScalarOf<N>>(p[i]));
  }
  return a;
}

namespace detail {

/// Whether a register of N holds elements of T unconverted and a masked load can fill it.
template <class N, class T>
inline constexpr bool has_masked_load =
#if defined(__AVX2__)
    std::is_same_v<T, ScalarOf<N>> && (sizeof(T) == 4 || sizeof(T) == 8) &&
    sizeof(N::part[0]) >= 16;
#else
    false;
#endif

/// The set lanes of one register from p, zero in the other lanes; nothing else is read.
template <class Register, class T, class Mask>
TRACKPLEX_LANES_INLINE Register part_load([[maybe_unused]] const T* p, [[maybe_unused]] Mask mask) {
  [[maybe_unused]] const auto* const words = reinterpret_cast<const int*>(p);
  [[maybe_unused]] const auto* const longs = reinterpret_cast<const long long*>(p);
#if defined(__AVX512F__)
  if constexpr (sizeof(Register) == 64 && sizeof(T) == 4)
    return (Register)_mm512_maskz_loadu_epi32(_mm512_test_epi32_mask((__m512i)mask, (__m512i)mask),
                                              p);
  if constexpr (sizeof(Register) == 64 && sizeof(T) == 8)
    return (Register)_mm512_maskz_loadu_epi64(_mm512_test_epi64_mask((__m512i)mask, (__m512i)mask),
                                              p);
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(Register) == 32 && sizeof(T) == 4)
    return (Register)_mm256_maskload_epi32(words, (__m256i)mask);
  if constexpr (sizeof(Register) == 32 && sizeof(T) == 8)
    return (Register)_mm256_maskload_epi64(longs, (__m256i)mask);
  if constexpr (sizeof(Register) == 16 && sizeof(T) == 4)
    return (Register)_mm_maskload_epi32(words, (__m128i)mask);
  if constexpr (sizeof(Register) == 16 && sizeof(T) == 8)
    return (Register)_mm_maskload_epi64(longs, (__m128i)mask);
#endif
}

}  // namespace detail

/// Returns the first `n` elements at `p`, zero in the other lanes; nothing past them is read.
template <LaneNumber N, Scalar T>
TRACKPLEX_LANES_INLINE N load_first(const T* p, int n) {
  if constexpr (detail::has_masked_load<N, T>) {
    const auto mask = first_lanes<N>(n);
    N a;
    TRACKPLEX_FOR_PARTS(
        i, N::parts,
        a.part[i] = detail::part_load<typename N::Register>(p + i * N::part_width, mask.part[i]));
    return a;
  } else {
    if (n >= width_of<N>) return load<N>(p);
    N a(ScalarOf<N>{});
    for (int i = 0; i < n; ++i) insert(a, i, static_cast<ScalarOf<N>>(p[i]));
    return a;
  }
}

/// Writes the W lanes to `p`.
template <Scalar T, LaneNumber N>
TRACKPLEX_LANES_INLINE void store(T* p, const N& a) {
  if constexpr (std::is_same_v<T, ScalarOf<N>>) {
    TRACKPLEX_FOR_PARTS(i, N::parts,
                        __builtin_memcpy(p + i * N::part_width, &a.part[i], sizeof(a.part[i])));
  } else if constexpr (detail::has_vector_conversion<T, ScalarOf<N>>) {
    TRACKPLEX_FOR_PARTS(i, N::parts, {
      const auto part = __builtin_convertvector(a.part[i], detail::PartInMemory<T, N>);
      __builtin_memcpy(p + i * N::part_width, &part, sizeof(part));
    });
  } else {
    for (int i = 0; i < width_of<N>; ++i) p[i] = static_cast<T>(extract(a, i));
  }
}

/// Writes the first `n` lanes to `p`, and nothing past them.
template <Scalar T, LaneNumber N>
TRACKPLEX_LANES_INLINE void store_first(T* p, const N& a, int n) {
  if (n >= width_of<N>) return store(p, a);
  // A copy: g++ keeps in memory, for the whole kernel, what a variable lane is extracted from.
  ScalarOf<N> elements[width_of<N>];
  store(elements, a);
  for (int i = 0; i < n; ++i) p[i] = static_cast<T>(elements[i]);
}

/// Returns p[index] of each lane; every lane's index must be valid.
template <LaneNumber N, Scalar T, LaneNumber I>
TRACKPLEX_LANES_INLINE N gather(const T* p, const I& index) {
  static_assert(width_of<I> == width_of<N>, "One index for each lane.");
  N a;
  for (int i = 0; i < width_of<N>; ++i)
    insert(a, i, static_cast<ScalarOf<N>>(p[extract(index, i)]));
  return a;
}

namespace detail {

/// Gather of one register of 4-byte or 8-byte elements with indices of the same size; zero where
/// the mask is not set.
template <int ElementBytes, class Register, class Index, class Mask>
TRACKPLEX_LANES_INLINE Register part_gather(const void* p, [[maybe_unused]] Index index,
                                            [[maybe_unused]] Mask mask) {
  [[maybe_unused]] const auto* const words = static_cast<const int*>(p);
  [[maybe_unused]] const auto* const longs = static_cast<const long long*>(p);
#if defined(__AVX512F__)
  if constexpr (sizeof(Register) == 64 && ElementBytes == 4)
    return (Register)_mm512_mask_i32gather_epi32(
        __m512i{}, _mm512_test_epi32_mask((__m512i)mask, (__m512i)mask), (__m512i)index, words, 4);
  if constexpr (sizeof(Register) == 64 && ElementBytes == 8)
    return (Register)_mm512_mask_i64gather_epi64(
        __m512i{}, _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask), (__m512i)index, longs, 8);
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(Register) == 32 && ElementBytes == 4)
    return (Register)_mm256_mask_i32gather_epi32(__m256i{}, words, (__m256i)index, (__m256i)mask,
                                                 4);
  if constexpr (sizeof(Register) == 32 && ElementBytes == 8)
    return (Register)_mm256_mask_i64gather_epi64(__m256i{}, longs, (__m256i)index, (__m256i)mask,
                                                 8);
  if constexpr (sizeof(Register) == 16 && ElementBytes == 4)
    return (Register)_mm_mask_i32gather_epi32(__m128i{}, words, (__m128i)index, (__m128i)mask, 4);
#endif
}

/// Whether `part_gather` serves N from an array of T with indices I.
template <class N, class T, class I>
constexpr bool has_part_gather() {
#if defined(__AVX2__)
  constexpr int bytes = sizeof(T);
  constexpr int register_bytes = sizeof(N::part[0]);
  return bytes == sizeof(ScalarOf<N>) && bytes == sizeof(ScalarOf<I>) &&
         (bytes == 4 || bytes == 8) &&
         std::is_floating_point_v<T> == std::is_floating_point_v<ScalarOf<N>> &&
         bytes * 4 <= register_bytes;
#else
  return false;
#endif
}

}  // namespace detail

/// Returns p[index] of the set lanes, zero in the other lanes, whose index is not used.
template <LaneNumber N, Scalar T, LaneNumber I>
TRACKPLEX_LANES_INLINE N gather(const T* p, const I& index, MaskOf<N> mask) {
  static_assert(width_of<I> == width_of<N>, "One index for each lane.");
  N a(ScalarOf<N>{});
  if constexpr (detail::has_part_gather<N, T, I>()) {
    TRACKPLEX_FOR_PARTS(i, N::parts,
                        a.part[i] = detail::part_gather<sizeof(T), typename N::Register>(
                            p, index.part[i], mask.part[i]));
  } else {
    for_each_lane(mask,
                  [&](int i) { insert(a, i, static_cast<ScalarOf<N>>(p[extract(index, i)])); });
  }
  return a;
}

/// Prefetches the cache line of p[index] of each lane, long before it is read: a kernel otherwise
/// waits for data that it finds by index. Indices need not be valid.
template <class T, LaneNumber I>
TRACKPLEX_LANES_INLINE void prefetch(const T* p, const I& index) {
  for (int i = 0; i < width_of<I>; ++i)
    __builtin_prefetch(reinterpret_cast<const void*>(
        reinterpret_cast<std::uintptr_t>(p) + std::uintptr_t(extract(index, i)) * sizeof(T)));
}

/// Writes the set lanes to p[index]; if several lanes have the same index, the last one wins.
template <Scalar T, LaneNumber I, LaneNumber N>
TRACKPLEX_LANES_INLINE void scatter(T* p, const I& index, const N& a, MaskOf<N> mask) {
  for_each_lane(mask, [&](int i) { p[extract(index, i)] = static_cast<T>(extract(a, i)); });
}

// Set lanes only
// ------------------------------------------------------------------------------------------------------

namespace detail {

/// For each subset of the lanes of a part, its lanes in order, as indices of 32-bit elements.
template <int PartWidth, int WordsPerElement>
struct CompressTable {
  static constexpr int words = PartWidth * WordsPerElement;
  alignas(32) std::int32_t index[1 << PartWidth][words];

  constexpr CompressTable() : index{} {
    for (int bits = 0; bits < (1 << PartWidth); ++bits) {
      int to = 0;
      for (int lane = 0; lane < PartWidth; ++lane)
        if (bits >> lane & 1)
          for (int word = 0; word < WordsPerElement; ++word)
            index[bits][to++] = lane * WordsPerElement + word;
    }
  }
};
template <int PartWidth, int WordsPerElement>
inline constexpr CompressTable<PartWidth, WordsPerElement> compress_table{};

}  // namespace detail

/// Writes the set lanes to p, p + 1, ... without gaps. The memory at `p` must hold W elements:
/// elements after the written ones may be overwritten.
template <Scalar T, LaneNumber N>
TRACKPLEX_LANES_INLINE void compress_store(T* p, const N& a, MaskOf<N> mask) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<T, ScalarOf<N>> && sizeof(a.part[0]) == 64 && sizeof(T) >= 4) {
    const unsigned bits = bits_of(mask);
    TRACKPLEX_FOR_PARTS(i, N::parts, {
      const unsigned part_bits = bits >> (i * N::part_width) & ((1u << N::part_width) - 1);
      const auto part = (__m512i)a.part[i];
      _mm512_storeu_si512(p, sizeof(T) == 4
                                 ? _mm512_maskz_compress_epi32(__mmask16(part_bits), part)
                                 : _mm512_maskz_compress_epi64(__mmask8(part_bits), part));
      p += std::popcount(part_bits);
    });
    return;
  }
#endif
#if defined(__AVX2__)
  if constexpr (std::is_same_v<T, ScalarOf<N>> && sizeof(a.part[0]) == 32 && sizeof(T) >= 4) {
    constexpr int words = int(sizeof(T)) / 4;
    const unsigned bits = bits_of(mask);
    TRACKPLEX_FOR_PARTS(i, N::parts, {
      const unsigned part_bits = bits >> (i * N::part_width) & ((1u << N::part_width) - 1);
      const auto& table = detail::compress_table<N::part_width, words>;
      const auto index =
          _mm256_load_si256(reinterpret_cast<const __m256i*>(table.index[part_bits]));
      const auto packed = _mm256_permutevar8x32_epi32((__m256i)a.part[i], index);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), packed);
      p += std::popcount(part_bits);
    });
    return;
  }
#endif
  for_each_lane(mask, [&](int lane) { *p++ = static_cast<T>(extract(a, lane)); });
}

namespace detail {

/// For each mask of eight lanes, the number of set lanes before each lane.
struct LanesBeforeTable {
  std::uint8_t before[256][8];

  constexpr LanesBeforeTable() : before{} {
    for (unsigned bits = 0; bits < 256; ++bits)
      for (int lane = 0; lane < 8; ++lane)
        before[bits][lane] = std::uint8_t(std::popcount(bits & ((1u << lane) - 1)));
  }
};
inline constexpr LanesBeforeTable lanes_before_table{};

}  // namespace detail

/// Returns, for each lane, the number of set lanes before it.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE IntegerOf<N> lanes_before(MaskOf<N> mask) {
  using I = IntegerOf<N>;
  const unsigned bits = bits_of(mask);
  if constexpr (width_of<N> <= 8) {
    return load<I>(detail::lanes_before_table.before[bits]);
  } else {
    ScalarOf<I> upto[width_of<N>];  // including the lane itself: g++ then uses whole registers
    for (int lane = 0; lane < width_of<N>; ++lane)
      upto[lane] = static_cast<ScalarOf<I>>(std::popcount(bits << (31 - lane)));
    const I count = load<I>(upto);
    return select(mask, count - I(1), count);
  }
}

}  // namespace trackplex
