// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Contribution of a particle to a histogram that is being filled: one integer to one cell. Rows of
/// cells are added up at the end.

#include <trackplex/core/math.hpp>
#include <trackplex/core/tile.hpp>
#include <trackplex/histogram/deposit_params.hpp>

#include <cstdint>

namespace trackplex::histogram::detail {

/// A row of cells: the bins, and places for the particles outside the bins.
struct Row {
  static constexpr int outside_places = 3;
  int bins;

  KOKKOS_FORCEINLINE_FUNCTION int below() const { return bins; }
  KOKKOS_FORCEINLINE_FUNCTION int above() const { return bins + 1; }
  KOKKOS_FORCEINLINE_FUNCTION int not_a_number() const { return bins + 2; }
  KOKKOS_FORCEINLINE_FUNCTION int cells() const { return bins + outside_places; }
  /// Distance from one row to the next.
  KOKKOS_FORCEINLINE_FUNCTION int stride() const { return (cells() + 15) / 16 * 16; }
};

/// The cell of each lane's particle, and the share of the next bin, in linear units.
template <class Real>
struct Shares {
  Rebind<Real, std::int32_t> cell;
  UnsignedOf<Real> to_next;
};

/// x if it is a bin, else the place for particles outside.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real cell_or_outside(const Row& row, const Real& position,
                                                 const Real& x) {
  using T = ScalarOf<Real>;
  const auto at = [](int place) { return Real(T(place)); };
  const Real above_or_inside = select(position < at(row.bins), x, at(row.above()));
  const Real below_or_nan = select(position < Real(T(0)), at(row.below()), at(row.not_a_number()));
  return select(position >= Real(T(0)), above_or_inside, below_or_nan);
}

template <Deposition>
struct Cells;

/// The number of particles.
template <>
struct Cells<Deposition::nearest> {
  using Cell = std::uint32_t;
  static constexpr int items_per_row = 0x7fffffff;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Shares<Real> shares(const Row& row, const Real& position) {
    return {convert<Rebind<Real, std::int32_t>>(cell_or_outside(row, position, position)), {}};
  }
  static KOKKOS_FORCEINLINE_FUNCTION Cell increment(std::uint64_t /*to_next*/) { return 1; }
  static KOKKOS_FORCEINLINE_FUNCTION std::uint32_t particles(Cell cell) { return cell; }
};

/// The number of particles in the upper 22 bits, their share for the next bin in the lower 42: a
/// single addition for both bins.
template <>
struct Cells<Deposition::linear> {
  using Cell = std::uint64_t;
  static constexpr int number_bit = 42;
  static constexpr int items_per_row = 1 << 21;

  template <class Real>
  static KOKKOS_FORCEINLINE_FUNCTION Shares<Real> shares(const Row& row, const Real& position) {
    using T = ScalarOf<Real>;
    using Cell32 = Rebind<Real, std::int32_t>;
    // where it is between the centres; the outer halves of the outer bins are their own alone
    const Real between = min(max(Real(T(0)), position - Real(T(0.5))), Real(T(row.bins - 1)));
    const Real x = cell_or_outside(row, position, between);
    const auto cell = convert<Cell32>(x);
    // In the binade that begins at 2^fraction_bits units, the last bit of a number is one unit.
    constexpr int fraction_bits = trackplex::detail::FloatFormat<T>::fraction_bits;
    constexpr auto binade = T(std::uint64_t{1} << fraction_bits) / T(linear_unit);
    constexpr auto low_bits = (ScalarOf<UnsignedOf<Real>>(1) << fraction_bits) - 1;
    const Real rounded = (x - convert<Real>(cell)) + Real(binade);
    return {cell, bit_cast<UnsignedOf<Real>>(rounded) & UnsignedOf<Real>(low_bits)};
  }
  static KOKKOS_FORCEINLINE_FUNCTION Cell increment(std::uint64_t to_next) {
    return (Cell(1) << number_bit) + to_next;
  }
  static KOKKOS_FORCEINLINE_FUNCTION std::uint32_t particles(Cell cell) {
    return std::uint32_t(cell >> number_bit);
  }
  static KOKKOS_FORCEINLINE_FUNCTION std::uint64_t to_next(Cell cell) {
    return cell & ((Cell(1) << number_bit) - 1);
  }
};

/// Calls `add(i, cell, increment)` for `count` particles from `first` on, at most Span, a multiple
/// of the width. All cells are computed before the first addition: additions to memory delay
/// later loads.
template <Deposition deposition, class Real, int Span, class Positions, class Add>
KOKKOS_FORCEINLINE_FUNCTION void for_each_increment(const Row& row, const Positions& positions,
                                                    int first, int count, const Add& add) {
  constexpr int width = width_of<Real>;
  constexpr bool is_linear = deposition == Deposition::linear;
  using C = Cells<deposition>;
  std::int32_t cells[Span];
  ScalarOf<UnsignedOf<Real>> to_next[is_linear ? Span : 1] = {};
  for (int i = 0; i < count; i += width) {
    const Tile<Real> tile{first + i, count - i < width ? count - i : width};
    const Shares<Real> shares = C::shares(row, Real(positions(tile)));
    store(cells + i, shares.cell);
    if constexpr (is_linear) store(to_next + i, shares.to_next);
  }
  for (int i = 0; i < count; ++i) add(i, cells[i], C::increment(to_next[is_linear ? i : 0]));
}

}  // namespace trackplex::histogram::detail
