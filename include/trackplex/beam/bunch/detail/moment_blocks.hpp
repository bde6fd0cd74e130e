// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The kernel of `SumMoments`: number, sums, products, minima and maxima of one block of
/// particles, with the blocks, the 32 partial results and their order of core/reduce.hpp. A host
/// has fewer registers than the 40 results: groups of results are computed in turn, while the rows
/// stay in the nearest cache.

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/bunch/moment_sums.hpp>
#include <trackplex/core/reduce.hpp>
#include <trackplex/core/unroll.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::beam::detail {

using trackplex::reduce_block;
using trackplex::detail::for_each_index;
using trackplex::detail::reduce_partials;
using trackplex::detail::reduce_rows;

/// Places of the results, as in MomentSums from `number` on.
struct MomentPlaces {
  static constexpr int number = 0;
  static constexpr int sum = 1;
  static constexpr int product = sum + n_coordinates;
  static constexpr int min = product + n_coordinate_pairs;
  static constexpr int minus_max = min + n_coordinates;
  static constexpr int size = minus_max + n_coordinates;
  static constexpr int n_sums = min;
  static constexpr int n_minima = size - min;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int product_of(int i, int j) {
    return product + i * (i + 1) / 2 + j;
  }
};

/// The particles of a bunch, for kernels that skip lost ones.
template <class T>
struct PresentParticles {
  BunchColumns<T> columns;
  const Loss* losses;  ///< null: no particle is lost

  /// Whether the particles with these numbers are not lost.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> present(const IntegerOf<Real>& number) const {
    if (!losses) return true;
    using Integer = IntegerOf<Real>;
    using I = ScalarOf<Integer>;
    return gather<Integer>(&losses->element, number * Integer(I(2))) == Integer(I(Loss::none));
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real coordinate(int i, const Tile<Real>& tile) const {
    return convert<Real>(tile.template load<Rebind<Real, T>>(columns.v[i]));
  }
};
static_assert(sizeof(Loss) == 2 * sizeof(std::int32_t));

/// A tile without lost particles.
template <class Real, class T>
struct WholeTile {
  const BunchColumns<T>& columns;
  const Real* point;
  int first;

  KOKKOS_FORCEINLINE_FUNCTION Real coordinate(int i) const {
    return convert<Real>(load<Rebind<Real, T>>(columns.v[i] + first));
  }
  KOKKOS_FORCEINLINE_FUNCTION Real distance(int i) const { return coordinate(i) - point[i]; }
  KOKKOS_FORCEINLINE_FUNCTION Real number() const { return Real(1); }
  KOKKOS_FORCEINLINE_FUNCTION Real low(int i) const { return coordinate(i); }
  KOKKOS_FORCEINLINE_FUNCTION Real minus_high(int i) const { return -coordinate(i); }
};

/// A tile with lost particles, or with lanes past the end.
template <class Real, class T>
struct PartialTile {
  const PresentParticles<T>& particles;
  const Real* point;
  Tile<Real> tile;
  MaskOf<Real> present;

  KOKKOS_FORCEINLINE_FUNCTION Real coordinate(int i) const { return particles.coordinate(i, tile); }
  KOKKOS_FORCEINLINE_FUNCTION Real distance(int i) const {
    return select(present, coordinate(i) - point[i], Real(0));
  }
  KOKKOS_FORCEINLINE_FUNCTION Real number() const { return select(present, Real(1), Real(0)); }
  KOKKOS_FORCEINLINE_FUNCTION Real low(int i) const {
    return select(present, coordinate(i), Real(Min::identity<ScalarOf<Real>>()));
  }
  KOKKOS_FORCEINLINE_FUNCTION Real minus_high(int i) const {
    return select(present, -coordinate(i), Real(Min::identity<ScalarOf<Real>>()));
  }
};

/// Sums and products of three coordinates, C and those after it.
template <int C>
struct SumsOfThree {
  static constexpr int size = 9;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int k) {
    constexpr int row[] = {0, 1, 1, 2, 2, 2}, column[] = {0, 0, 1, 0, 1, 2};
    return k < 3 ? MomentPlaces::sum + C + k
                 : MomentPlaces::product_of(C + row[k - 3], C + column[k - 3]);
  }
  template <class Real, class Rows>
  KOKKOS_FORCEINLINE_FUNCTION static void add(Real (&s)[size], const Rows& rows) {
    const Real a = rows.distance(C), b = rows.distance(C + 1), c = rows.distance(C + 2);
    s[0] = s[0] + a;
    s[1] = s[1] + b;
    s[2] = s[2] + c;
    s[3] = fma(a, a, s[3]);
    s[4] = fma(b, a, s[4]);
    s[5] = fma(b, b, s[5]);
    s[6] = fma(c, a, s[6]);
    s[7] = fma(c, b, s[7]);
    s[8] = fma(c, c, s[8]);
  }
};

/// Products of each of the last three coordinates with each of the first three.
struct CrossProducts {
  static constexpr int size = 9;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int k) {
    return MomentPlaces::product_of(3 + k / 3, k % 3);
  }
  template <class Real, class Rows>
  KOKKOS_FORCEINLINE_FUNCTION static void add(Real (&s)[size], const Rows& rows) {
    const Real a = rows.distance(0), b = rows.distance(1), c = rows.distance(2);
    for_each_index<3>([&]<int I>() TRACKPLEX_INLINE_LAMBDA {
      const Real d = rows.distance(3 + I);
      s[3 * I] = fma(d, a, s[3 * I]);
      s[3 * I + 1] = fma(d, b, s[3 * I + 1]);
      s[3 * I + 2] = fma(d, c, s[3 * I + 2]);
    });
  }
};

/// Smallest and largest coordinates.
struct Extremes {
  static constexpr int size = MomentPlaces::n_minima;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int k) { return MomentPlaces::min + k; }
  template <class Real, class Rows>
  KOKKOS_FORCEINLINE_FUNCTION static void add(Real (&s)[size], const Rows& rows) {
    for_each_index<n_coordinates>([&]<int I>() TRACKPLEX_INLINE_LAMBDA {
      s[I] = min(s[I], rows.low(I));
      s[n_coordinates + I] = min(s[n_coordinates + I], rows.minus_high(I));
    });
  }
};

struct Number {
  static constexpr int size = 1;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int) { return MomentPlaces::number; }
  template <class Real, class Rows>
  KOKKOS_FORCEINLINE_FUNCTION static void add(Real (&s)[size], const Rows& rows) {
    s[0] = s[0] + rows.number();
  }
};

/// One block per team: result r of block b goes to results[r * blocks + b].
template <class Real, class T>
struct MomentBlocks {
  /// On hosts the columns stay in the cache for all groups, and no line is fetched twice.
  static constexpr int rows_at_a_time = width_of<Real> == 1 ? 16 : 4;
  PresentParticles<T> particles;
  const MomentSums* row;  ///< whose sample is done
  double* results;
  int n, blocks;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<double>(MomentPlaces::size * reduce_partials);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<Real, Member> team(member);
    const int block = member.league_rank();
    double* const partials = scratch.take<double>(MomentPlaces::size * reduce_partials);
    Real point[n_coordinates];
    const double weight = row->sample > 0. ? 1. / row->sample : 0.;
    for (int i = 0; i < n_coordinates; ++i) point[i] = Real(row->sample_sum[i] * weight);

    team.for_each(reduce_partials, [&](Tile<Real> tile) {
      for (int r = 0; r < MomentPlaces::size; ++r)
        store(partials + r * reduce_partials + tile.first,
              Real(r < MomentPlaces::n_sums ? 0. : Min::identity<double>()));
    });
    for (int first_row = 0; first_row < reduce_rows; first_row += rows_at_a_time) {
      if (block * reduce_block + first_row * reduce_partials >= n) break;
      team.for_each(reduce_partials, [&](Tile<Real> tile) {
        const int first = block * reduce_block + first_row * reduce_partials + tile.first;
        double* const to = partials + tile.first;
        const bool whole = all_there(first);
        add_rows<SumsOfThree<0>>(first, whole, point, to);
        add_rows<SumsOfThree<3>>(first, whole, point, to);
        add_rows<CrossProducts>(first, whole, point, to);
        add_rows<Extremes>(first, whole, point, to);
        add_rows<Number>(first, whole, point, to);
      });
    }
    team.barrier();
    team.template for_each<int>(MomentPlaces::size, [&](Tile<int> result) {
      double* const p = partials + result.first * reduce_partials;
      const bool is_sum = result.first < MomentPlaces::n_sums;
      for (int half = reduce_partials / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i) p[i] = is_sum ? p[i] + p[i + half] : min(p[i], p[i + half]);
      results[result.first * blocks + block] = p[0];
    });
  }

 private:
  /// Whether the rows of the tile that begins at item `first` have no lane past the end and no lost
  /// particle.
  KOKKOS_FORCEINLINE_FUNCTION bool all_there(int first) const {
    if (first + (rows_at_a_time - 1) * reduce_partials + width_of < Real >> n) return false;
    if (!particles.losses) return true;
    std::int32_t elements = Loss::none;  // all bits set
    for (int i = 0; i < rows_at_a_time; ++i)
      for (int lane = 0; lane < width_of<Real>; ++lane)
        elements &= particles.losses[first + i * reduce_partials + lane].element;
    return elements == Loss::none;
  }

  /// Adds some rows of the tile that begins at item `first` to the partial results of a group.
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION void add_rows(int first, bool whole, const Real* point,
                                            double* partials) const {
    Real s[Group::size];
    for_each_index<Group::size>([&]<int K>() TRACKPLEX_INLINE_LAMBDA {
      s[K] = load<Real>(partials + Group::place(K) * reduce_partials);
    });
    const int end = first + rows_at_a_time * reduce_partials;
    if (whole) {
      for (; first < end; first += reduce_partials)
        Group::add(s, WholeTile<Real, T>{particles.columns, point, first});
    } else {
      for (; first < end && first < n; first += reduce_partials) {
        const Tile<Real> tile{first, n - first < width_of<Real> ? n - first : width_of<Real>};
        Group::add(
            s, PartialTile<Real, T>{particles, point, tile,
                                    tile.mask() && particles.template present<Real>(tile.index())});
      }
    }
    for_each_index<Group::size>([&]<int K>() TRACKPLEX_INLINE_LAMBDA {
      store(partials + Group::place(K) * reduce_partials, s[K]);
    });
  }
};

/// Rows of 32 particles that a block contributes to the sample: the sample has parts of all
/// blocks, so that it is inside a bunch in any order, and about as many particles as one block or
/// more.
constexpr int rows_of_sample(std::int64_t n) {
  const std::int64_t blocks = n > 0 ? (n - 1) / reduce_block + 1 : 1;
  return int(reduce_rows / blocks > 1 ? reduce_rows / blocks : 1);
}

/// Number and sums of a sample.
template <class Real, class T>
struct SampleTerms {
  PresentParticles<T> particles;

  KOKKOS_FUNCTION Kokkos::Array<Real, 1 + n_coordinates> operator()(const Tile<Real>& tile) const {
    const auto present = particles.template present<Real>(tile.index());
    Kokkos::Array<Real, 1 + n_coordinates> terms;
    terms[0] = select(present, Real(1), Real(0));
    for (int i = 0; i < n_coordinates; ++i)
      terms[1 + i] = select(present, particles.coordinate(i, tile), Real(0));
    return terms;
  }
};

}  // namespace trackplex::beam::detail
