// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// What a particle adds to a histogram that is being filled: one integer to one cell. Rows of cells
/// are added up at the end.

#include <trackplex/core/spaces.hpp>

#include <cstdint>

namespace trackplex::histogram {

/// How a particle is shared among bins.
enum class Deposition {
  nearest,  ///< one count in the bin that it is in
  linear,   ///< `linear_unit` counts, shared between the two bins with the nearest centres
};

/// Counts that a particle adds with `Deposition::linear`.
inline constexpr int linear_unit = 1 << 20;

namespace detail {

/// A row of cells: the bins, and the places of the particles outside of them.
struct Row {
  static constexpr int outside_places = 3;
  int bins;

  KOKKOS_FORCEINLINE_FUNCTION int below() const { return bins; }
  KOKKOS_FORCEINLINE_FUNCTION int above() const { return bins + 1; }
  KOKKOS_FORCEINLINE_FUNCTION int not_a_number() const { return bins + 2; }
  KOKKOS_FORCEINLINE_FUNCTION int cells() const { return bins + outside_places; }
  /// From one row to the next.
  KOKKOS_FORCEINLINE_FUNCTION int stride() const { return (cells() + 15) / 16 * 16; }
};

/// The cell of each lane's particle, and what goes from there to the next bin, in linear units.
template <class Real>
struct Shares {
  Rebind<Real, std::int32_t> cell;
  UnsignedOf<Real> to_next;
};

/// x if it is a bin, else the place outside.
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

/// The number of particles in the upper 22 bits, what they give to the next bin in the lower 42: a
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

/// Calls `add(lane, cell, increment)` for the particles of a tile.
template <Deposition deposition, class Real, class Positions, class Add>
KOKKOS_FORCEINLINE_FUNCTION void for_each_increment(const Row& row, const Positions& positions,
                                                    const Tile<Real>& tile, const Add& add) {
  constexpr int width = width_of<Real>;
  using C = Cells<deposition>;
  const Shares<Real> shares = C::shares(row, Real(positions(tile)));
  std::int32_t cells[width];
  ScalarOf<UnsignedOf<Real>> to_next[width] = {};
  store(cells, shares.cell);
  if constexpr (deposition == Deposition::linear) store(to_next, shares.to_next);
  for (int lane = 0; lane < tile.count; ++lane) add(lane, cells[lane], C::increment(to_next[lane]));
}

}  // namespace detail

}  // namespace trackplex::histogram
