// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Records of four numbers that are gathered at once. If a kernel needs several quantities of an
/// item that it finds by index, one record costs a fraction of the separate gathers.

#include <trackplex/core/lane_memory.hpp>

#include <concepts>
#include <type_traits>

namespace trackplex {

/// Four numbers: side by side in memory and aligned to their size (T a scalar), or four of each
/// lane (T lanes). The user defines their meaning.
template <class T>
struct alignas(std::is_arithmetic_v<T> ? 4 * sizeof(T) : alignof(T)) Quartet {
  T x,    ///< First number.
      y,  ///< Second number.
      z,  ///< Third number.
      w;  ///< Fourth number.
};

/// Returns the record p[index].
template <Scalar N, std::integral I>
KOKKOS_FORCEINLINE_FUNCTION Quartet<N> gather_quartets(const Quartet<N>* p, I index) {
  return p[index];
}
/// Returns the numbers p[index] to p[index + 3].
template <Scalar N, std::integral I>
KOKKOS_FORCEINLINE_FUNCTION Quartet<N> gather_four(const N* p, I index) {
  return {p[index], p[index + 1], p[index + 2], p[index + 3]};
}

namespace detail {

#if defined(__AVX__)
/// Lanes of eight records of four floats: rows 0 to 3 of two 4 x 4 transpositions side by side.
TRACKPLEX_LANES_INLINE void transpose_quartets(const float* const (&p)[8],
                                               SimdRegister<float, 32>::type (&out)[4]) {
  const auto rows = [&](int i) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p[i])), _mm_loadu_ps(p[i + 4]),
                                1);
  };
  const __m256 r0 = rows(0), r1 = rows(1), r2 = rows(2), r3 = rows(3);
  const __m256 xy01 = _mm256_unpacklo_ps(r0, r1), zw01 = _mm256_unpackhi_ps(r0, r1);
  const __m256 xy23 = _mm256_unpacklo_ps(r2, r3), zw23 = _mm256_unpackhi_ps(r2, r3);
  out[0] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
  out[1] = _mm256_shuffle_ps(xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
  out[2] = _mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0));
  out[3] = _mm256_shuffle_ps(zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2));
}

/// Lanes of four records of four floats.
TRACKPLEX_LANES_INLINE void transpose_quartets(const float* const (&p)[4],
                                               SimdRegister<float, 16>::type (&out)[4]) {
  __m128 r0 = _mm_loadu_ps(p[0]), r1 = _mm_loadu_ps(p[1]), r2 = _mm_loadu_ps(p[2]),
         r3 = _mm_loadu_ps(p[3]);
  _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
  out[0] = r0;
  out[1] = r1;
  out[2] = r2;
  out[3] = r3;
}

/// Lanes of four records of four doubles.
TRACKPLEX_LANES_INLINE void transpose_quartets(const double* const (&p)[4],
                                               SimdRegister<double, 32>::type (&out)[4]) {
  const __m256d r0 = _mm256_loadu_pd(p[0]), r1 = _mm256_loadu_pd(p[1]), r2 = _mm256_loadu_pd(p[2]),
                r3 = _mm256_loadu_pd(p[3]);
  const __m256d xz01 = _mm256_unpacklo_pd(r0, r1), yw01 = _mm256_unpackhi_pd(r0, r1);
  const __m256d xz23 = _mm256_unpacklo_pd(r2, r3), yw23 = _mm256_unpackhi_pd(r2, r3);
  out[0] = _mm256_permute2f128_pd(xz01, xz23, 0x20);
  out[1] = _mm256_permute2f128_pd(yw01, yw23, 0x20);
  out[2] = _mm256_permute2f128_pd(xz01, xz23, 0x31);
  out[3] = _mm256_permute2f128_pd(yw01, yw23, 0x31);
}

#if defined(__AVX512F__)
// For intrinsics without a mask, g++ 12 warns of reads of uninitialized values.
inline constexpr __mmask16 every_float = 0xffff;
inline constexpr __mmask8 every_double = 0xff;

/// Lanes of sixteen records of four floats: four 4 x 4 transpositions side by side.
TRACKPLEX_LANES_INLINE void transpose_quartets(const float* const (&p)[16],
                                               SimdRegister<float, 64>::type (&out)[4]) {
  const auto rows = [&](int i) {
    const __m512 one = _mm512_castps128_ps512(_mm_loadu_ps(p[i]));
    const __m512 two = _mm512_maskz_insertf32x4(every_float, one, _mm_loadu_ps(p[i + 4]), 1);
    const __m512 three = _mm512_maskz_insertf32x4(every_float, two, _mm_loadu_ps(p[i + 8]), 2);
    return _mm512_maskz_insertf32x4(every_float, three, _mm_loadu_ps(p[i + 12]), 3);
  };
  const __m512 r0 = rows(0), r1 = rows(1), r2 = rows(2), r3 = rows(3);
  const __m512 xy01 = _mm512_maskz_unpacklo_ps(every_float, r0, r1),
               zw01 = _mm512_maskz_unpackhi_ps(every_float, r0, r1);
  const __m512 xy23 = _mm512_maskz_unpacklo_ps(every_float, r2, r3),
               zw23 = _mm512_maskz_unpackhi_ps(every_float, r2, r3);
  out[0] = _mm512_maskz_shuffle_ps(every_float, xy01, xy23, _MM_SHUFFLE(1, 0, 1, 0));
  out[1] = _mm512_maskz_shuffle_ps(every_float, xy01, xy23, _MM_SHUFFLE(3, 2, 3, 2));
  out[2] = _mm512_maskz_shuffle_ps(every_float, zw01, zw23, _MM_SHUFFLE(1, 0, 1, 0));
  out[3] = _mm512_maskz_shuffle_ps(every_float, zw01, zw23, _MM_SHUFFLE(3, 2, 3, 2));
}

/// Lanes of eight records of four doubles.
TRACKPLEX_LANES_INLINE void transpose_quartets(const double* const (&p)[8],
                                               SimdRegister<double, 64>::type (&out)[4]) {
  const auto rows = [&](int i) {
    return _mm512_maskz_insertf64x4(every_double, _mm512_castpd256_pd512(_mm256_loadu_pd(p[i])),
                                    _mm256_loadu_pd(p[i + 2]), 1);
  };
  const __m512d r02 = rows(0), r13 = rows(1), r46 = rows(4), r57 = rows(5);
  const __m512d xz03 = _mm512_maskz_unpacklo_pd(every_double, r02, r13),
                yw03 = _mm512_maskz_unpackhi_pd(every_double, r02, r13);
  const __m512d xz47 = _mm512_maskz_unpacklo_pd(every_double, r46, r57),
                yw47 = _mm512_maskz_unpackhi_pd(every_double, r46, r57);
  out[0] = _mm512_maskz_shuffle_f64x2(every_double, xz03, xz47, _MM_SHUFFLE(2, 0, 2, 0));
  out[1] = _mm512_maskz_shuffle_f64x2(every_double, yw03, yw47, _MM_SHUFFLE(2, 0, 2, 0));
  out[2] = _mm512_maskz_shuffle_f64x2(every_double, xz03, xz47, _MM_SHUFFLE(3, 1, 3, 1));
  out[3] = _mm512_maskz_shuffle_f64x2(every_double, yw03, yw47, _MM_SHUFFLE(3, 1, 3, 1));
}
#endif

/// Inverse of `transpose_quartets`: stores the four numbers of each lane side by side.
TRACKPLEX_LANES_INLINE void store_transposed(float* const (&p)[8],
                                             const SimdRegister<float, 32>::type (&in)[4]) {
  const __m256 xy_low = _mm256_unpacklo_ps(in[0], in[1]),
               xy_high = _mm256_unpackhi_ps(in[0], in[1]);
  const __m256 zw_low = _mm256_unpacklo_ps(in[2], in[3]),
               zw_high = _mm256_unpackhi_ps(in[2], in[3]);
  const __m256 rows[4] = {_mm256_shuffle_ps(xy_low, zw_low, _MM_SHUFFLE(1, 0, 1, 0)),
                          _mm256_shuffle_ps(xy_low, zw_low, _MM_SHUFFLE(3, 2, 3, 2)),
                          _mm256_shuffle_ps(xy_high, zw_high, _MM_SHUFFLE(1, 0, 1, 0)),
                          _mm256_shuffle_ps(xy_high, zw_high, _MM_SHUFFLE(3, 2, 3, 2))};
  for (int i = 0; i < 4; ++i) {
    _mm_store_ps(p[i], _mm256_castps256_ps128(rows[i]));
    _mm_store_ps(p[i + 4], _mm256_extractf128_ps(rows[i], 1));
  }
}
TRACKPLEX_LANES_INLINE void store_transposed(float* const (&p)[4],
                                             const SimdRegister<float, 16>::type (&in)[4]) {
  __m128 r0 = in[0], r1 = in[1], r2 = in[2], r3 = in[3];
  _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
  _mm_store_ps(p[0], r0);
  _mm_store_ps(p[1], r1);
  _mm_store_ps(p[2], r2);
  _mm_store_ps(p[3], r3);
}
TRACKPLEX_LANES_INLINE void store_transposed(double* const (&p)[4],
                                             const SimdRegister<double, 32>::type (&in)[4]) {
  const __m256d xy_low = _mm256_unpacklo_pd(in[0], in[1]),
                xy_high = _mm256_unpackhi_pd(in[0], in[1]);
  const __m256d zw_low = _mm256_unpacklo_pd(in[2], in[3]),
                zw_high = _mm256_unpackhi_pd(in[2], in[3]);
  _mm256_store_pd(p[0], _mm256_permute2f128_pd(xy_low, zw_low, 0x20));
  _mm256_store_pd(p[1], _mm256_permute2f128_pd(xy_high, zw_high, 0x20));
  _mm256_store_pd(p[2], _mm256_permute2f128_pd(xy_low, zw_low, 0x31));
  _mm256_store_pd(p[3], _mm256_permute2f128_pd(xy_high, zw_high, 0x31));
}
#if defined(__AVX512F__)
TRACKPLEX_LANES_INLINE void store_transposed(float* const (&p)[16],
                                             const SimdRegister<float, 64>::type (&in)[4]) {
  const __m512 xy_low = _mm512_maskz_unpacklo_ps(every_float, in[0], in[1]),
               xy_high = _mm512_maskz_unpackhi_ps(every_float, in[0], in[1]);
  const __m512 zw_low = _mm512_maskz_unpacklo_ps(every_float, in[2], in[3]),
               zw_high = _mm512_maskz_unpackhi_ps(every_float, in[2], in[3]);
  const __m512 rows[4] = {
      _mm512_maskz_shuffle_ps(every_float, xy_low, zw_low, _MM_SHUFFLE(1, 0, 1, 0)),
      _mm512_maskz_shuffle_ps(every_float, xy_low, zw_low, _MM_SHUFFLE(3, 2, 3, 2)),
      _mm512_maskz_shuffle_ps(every_float, xy_high, zw_high, _MM_SHUFFLE(1, 0, 1, 0)),
      _mm512_maskz_shuffle_ps(every_float, xy_high, zw_high, _MM_SHUFFLE(3, 2, 3, 2))};
  for (int i = 0; i < 4; ++i) {
    _mm_store_ps(p[i], _mm512_maskz_extractf32x4_ps(0xf, rows[i], 0));
    _mm_store_ps(p[i + 4], _mm512_maskz_extractf32x4_ps(0xf, rows[i], 1));
    _mm_store_ps(p[i + 8], _mm512_maskz_extractf32x4_ps(0xf, rows[i], 2));
    _mm_store_ps(p[i + 12], _mm512_maskz_extractf32x4_ps(0xf, rows[i], 3));
  }
}
TRACKPLEX_LANES_INLINE void store_transposed(double* const (&p)[8],
                                             const SimdRegister<double, 64>::type (&in)[4]) {
  const __m512i first_two = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                last_two = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  for (int i = 0; i < 2; ++i) {  // even rows, odd rows
    const __m512d xy = i == 0 ? _mm512_maskz_unpacklo_pd(every_double, in[0], in[1])
                              : _mm512_maskz_unpackhi_pd(every_double, in[0], in[1]);
    const __m512d zw = i == 0 ? _mm512_maskz_unpacklo_pd(every_double, in[2], in[3])
                              : _mm512_maskz_unpackhi_pd(every_double, in[2], in[3]);
    const __m512d low = _mm512_permutex2var_pd(xy, first_two, zw),
                  high = _mm512_permutex2var_pd(xy, last_two, zw);
    _mm256_store_pd(p[i], _mm512_maskz_extractf64x4_pd(0xf, low, 0));
    _mm256_store_pd(p[i + 2], _mm512_maskz_extractf64x4_pd(0xf, low, 1));
    _mm256_store_pd(p[i + 4], _mm512_maskz_extractf64x4_pd(0xf, high, 0));
    _mm256_store_pd(p[i + 6], _mm512_maskz_extractf64x4_pd(0xf, high, 1));
  }
}
#endif
#endif

}  // namespace detail

#if defined(__NVCC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1675  // GCC unroll, which the host compiler knows
#endif
namespace detail {

/// The rows of the lanes of a register, from lane `first` on.
template <int Width, class T, class Row>
TRACKPLEX_LANES_INLINE void find_rows(const Row& row, int first, T* (&rows)[Width]) {
#pragma GCC unroll 16
  for (int i = 0; i < Width; ++i) rows[i] = row(first + i);
}

/// Returns the four numbers from row(lane) on, of each lane.
template <LaneNumber N, class Row>
TRACKPLEX_LANES_INLINE Quartet<N> gather_rows(const Row& row) {
  using T = ScalarOf<N>;
#if defined(__AVX__)
  constexpr int width = N::part_width;
  if constexpr (std::is_floating_point_v<T> && width >= 4) {
    constexpr int bytes = LaneLayout<sizeof(T), width_of<N>>::register_bytes;
    Quartet<N> quartet;
    TRACKPLEX_FOR_PARTS(i, N::parts, {
      const T* rows[width];
      find_rows(row, i * width, rows);
      typename SimdRegister<T, bytes>::type out[4];
      transpose_quartets(rows, out);
      quartet.x.part[i] = out[0];
      quartet.y.part[i] = out[1];
      quartet.z.part[i] = out[2];
      quartet.w.part[i] = out[3];
    });
    return quartet;
  }
#endif
  T x[width_of<N>], y[width_of<N>], z[width_of<N>], w[width_of<N>];
  unrolled<width_of<N>>([&](auto lane) {
    const T* const numbers = row(lane);
    x[lane] = numbers[0];
    y[lane] = numbers[1];
    z[lane] = numbers[2];
    w[lane] = numbers[3];
  });
  return {load<N>(x), load<N>(y), load<N>(z), load<N>(w)};
}

}  // namespace detail

/// Returns the record p[index] of each lane; every lane's index must be valid.
template <LaneNumber N, LaneNumber I>
TRACKPLEX_LANES_INLINE Quartet<N> gather_quartets(const Quartet<ScalarOf<N>>* p, const I& index) {
  return detail::gather_rows<N>([&](int lane) { return &p[extract(index, lane)].x; });
}
/// Returns the numbers p[index] to p[index + 3] of each lane; every lane's index must be valid.
template <LaneNumber N, LaneNumber I>
TRACKPLEX_LANES_INLINE Quartet<N> gather_four(const ScalarOf<N>* p, const I& index) {
  return detail::gather_rows<N>([&](int lane) { return p + extract(index, lane); });
}

namespace detail {

/// Writes the record of each lane to row(lane); all rows must be valid.
template <LaneNumber N, class Row>
TRACKPLEX_LANES_INLINE void scatter_rows(const Row& row, const Quartet<N>& quartet) {
  using T [[maybe_unused]] = ScalarOf<N>;
#if defined(__AVX__)
  constexpr int width = N::part_width;
  if constexpr (std::is_floating_point_v<T> && width >= 4) {
    TRACKPLEX_FOR_PARTS(i, N::parts, {
      T* rows[width];
      find_rows([&](int lane) { return &row(lane)->x; }, i * width, rows);
      store_transposed(
          rows, {quartet.x.part[i], quartet.y.part[i], quartet.z.part[i], quartet.w.part[i]});
    });
    return;
  }
#endif
  for (int lane = 0; lane < width_of<N>; ++lane)
    *row(lane) = {extract(quartet.x, lane), extract(quartet.y, lane), extract(quartet.z, lane),
                  extract(quartet.w, lane)};
}

}  // namespace detail

/// Writes the record of each set lane to p[index]; no index may occur twice.
template <LaneNumber N, LaneNumber I>
TRACKPLEX_LANES_INLINE void scatter_quartets(Quartet<ScalarOf<N>>* p, const I& index,
                                             const Quartet<N>& quartet, const MaskOf<N>& mask) {
  const unsigned set = bits_of(mask);
  Quartet<ScalarOf<N>> unused;  // target of the lanes that are not set
  detail::scatter_rows(
      [&](int lane) { return (set >> lane & 1) != 0 ? &p[extract(index, lane)] : &unused; },
      quartet);
}

/// Writes the records of all lanes to p[0], p[stride], p[2 * stride] ...
template <LaneNumber N>
TRACKPLEX_LANES_INLINE void store_quartets_apart(Quartet<ScalarOf<N>>* p, int stride,
                                                 const Quartet<N>& quartet) {
  detail::scatter_rows([&](int lane) { return p + lane * stride; }, quartet);
}

/// Writes the records of the first n lanes to p[0] ... p[n - 1].
template <LaneNumber N>
TRACKPLEX_LANES_INLINE void store_quartets(Quartet<ScalarOf<N>>* p, const Quartet<N>& quartet,
                                           int n) {
  if (n == width_of<N>) return store_quartets_apart(p, 1, quartet);
  for (int lane = 0; lane < n; ++lane)
    p[lane] = {extract(quartet.x, lane), extract(quartet.y, lane), extract(quartet.z, lane),
               extract(quartet.w, lane)};
}

/// Writes the records of the set lanes to p, p + 1, ... without gaps. The memory at `p` must hold W
/// records: those after the written ones may be overwritten.
template <LaneNumber N>
TRACKPLEX_LANES_INLINE void compress_store_quartets(Quartet<ScalarOf<N>>* p,
                                                    const Quartet<N>& quartet, MaskOf<N> mask) {
  const auto compressed = [&](const N& of_lanes) {
    ScalarOf<N> set[width_of<N>] = {};
    compress_store(set, of_lanes, mask);
    return load<N>(set);
  };
  store_quartets_apart(p, 1,
                       Quartet<N>{compressed(quartet.x), compressed(quartet.y),
                                  compressed(quartet.z), compressed(quartet.w)});
}

#if defined(__NVCC__)
#pragma nv_diagnostic pop
#endif

/// Writes the record to p[index] if the mask is set.
template <Scalar N, std::integral I>
KOKKOS_FORCEINLINE_FUNCTION void scatter_quartets(Quartet<N>* p, I index, const Quartet<N>& quartet,
                                                  bool mask) {
  if (mask) p[index] = quartet;
}

/// Writes the record to *p if the mask is set.
template <Scalar N>
KOKKOS_FORCEINLINE_FUNCTION void compress_store_quartets(Quartet<N>* p, const Quartet<N>& quartet,
                                                         bool mask) {
  if (mask) *p = quartet;
}
/// Writes the record to *p.
template <Scalar N>
KOKKOS_FORCEINLINE_FUNCTION void store_quartets_apart(Quartet<N>* p, int /*stride*/,
                                                      const Quartet<N>& quartet) {
  *p = quartet;
}
/// Writes the record to *p if n is 1.
template <Scalar N>
KOKKOS_FORCEINLINE_FUNCTION void store_quartets(Quartet<N>* p, const Quartet<N>& quartet, int n) {
  if (n > 0) *p = quartet;
}

}  // namespace trackplex
