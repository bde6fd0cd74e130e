// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/lanes.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>

#include <cstdint>

/// @file
/// Super-pixels: 2 columns x 4 rows of pixels in one word. Bits 0 to 7 are the lit pixels (4 x
/// column + row), bits 8 to 13 its row in the sensor, bits 14 to 22 its column. With the sensor
/// from bit 23 on, the words of an event are in the order of their places and below 2^31.

namespace trackplex::lhcb::detail {

inline constexpr int super_pixel_columns = velo_pixel_columns / 2;
inline constexpr int super_pixel_rows = velo_pixel_rows / 4;
inline constexpr int super_pixel_place_shift = 8;
inline constexpr int super_pixel_column_shift = 14;
inline constexpr int super_pixel_sensor_shift = 23;
/// Bits of a super-pixel in a bank; without the hint that it has no neighbours.
inline constexpr int super_pixel_bits = (1 << super_pixel_sensor_shift) - 1;
/// Words from this one on have a column beyond the sensor.
inline constexpr int super_pixel_end = super_pixel_columns << super_pixel_column_shift;
static_assert(std::int64_t(velo_sensor_count) << super_pixel_sensor_shift < std::int64_t(1) << 31);

/// The lit pixels of a super-pixel that do not belong to the connected component of its lowest lit
/// row. They also form a single component: two components have an empty row between them, and four
/// rows have no room for a third.
template <class Integer>
KOKKOS_FORCEINLINE_FUNCTION constexpr Integer upper_component(const Integer& word) {
  const Integer rows = (word | word >> 4) & Integer(15);
  const Integer above = rows & (rows + (rows & -rows));  // the carry runs through the lowest rows
  return word & (above | above << 4);
}
static_assert(upper_component(0x01) == 0 && upper_component(0x21) == 0);
static_assert(upper_component(0x41) == 0x40 && upper_component(0x9a) == 0x88);

/// Number of connected components of a super-pixel as stored in a bank: none if no pixel is lit or
/// it is outside the sensor.
KOKKOS_FORCEINLINE_FUNCTION constexpr int count_components(int word) {
  const int inside = (word & super_pixel_bits) < super_pixel_end;
  return inside * (((word & 0xff) != 0) + (upper_component(word) != 0));
}
static_assert(count_components(0x5a) == 1 && count_components(0x15) == 2);
static_assert(count_components(super_pixel_end | 1) == 0 && count_components(0x100) == 0);

/// Max distance in the order of places to an earlier neighbour.
inline constexpr int farthest_neighbour = super_pixel_rows + 1;

/// The pixels of earlier neighbours that touch a component.
template <class Integer>
struct TouchedPixels {
  Integer below, left, left_below, left_above;

  KOKKOS_FORCEINLINE_FUNCTION explicit TouchedPixels(const Integer& word) {
    const Integer zero(0);
    const Integer row = word >> super_pixel_place_shift & Integer(super_pixel_rows - 1);
    const auto lowest = row == zero, highest = row == Integer(super_pixel_rows - 1);
    const Integer column = word & Integer(0x0f);
    below = select(lowest || (word & Integer(0x11)) == zero, zero, Integer(0x88));
    left = (column | column << 1 | column >> 1) << 4 & Integer(0xf0);
    left_below = select(lowest, zero, (word & Integer(0x01)) << 7);
    left_above = select(highest, zero, (word & Integer(0x08)) << 1);
  }

  /// The pixels of the neighbour `distance` places before; distance >= 0.
  KOKKOS_FORCEINLINE_FUNCTION Integer at(const Integer& distance) const {
    constexpr int rows = super_pixel_rows;
    Integer touched = select(distance == Integer(1), below, Integer(0));
    touched = select(distance == Integer(rows), left, touched);
    touched = select(distance == Integer(rows + 1), left_below, touched);
    return select(distance == Integer(rows - 1), left_above, touched);
  }
};

/// Number of the lit pixels of a component, and sums of their columns and rows in the sensor.
template <class Integer>
struct PixelSums {
  Integer n, columns, rows;

  KOKKOS_FORCEINLINE_FUNCTION explicit PixelSums(const Integer& word) {
    // four sets of pixels in the four bytes, whose bits are counted together: all, those of the
    // right column, of the odd rows and of the upper two rows
    using Bits = UnsignedOf<Integer>;
    using B = ScalarOf<Bits>;
    const Bits set = bit_cast<Bits>(word);
    const auto part = [&](B pixels, int shift) { return (set & Bits(pixels)) << shift; };
    Bits sets = part(0xff, 0) | part(0xf0, 8) | part(0xaa, 16) | part(0xcc, 24);
    sets = sets - (sets >> 1 & Bits(B(0x55555555)));
    sets = (sets & Bits(B(0x33333333))) + (sets >> 2 & Bits(B(0x33333333)));
    const Integer bits = bit_cast<Integer>((sets + (sets >> 4)) & Bits(B(0x0f0f0f0f)));
    // of the lower left pixel
    const Integer column = word >> (super_pixel_column_shift - 1) & Integer(2 * 511);
    const Integer row = word >> (super_pixel_place_shift - 2) & Integer(4 * (super_pixel_rows - 1));
    n = bits & Integer(15);
    columns = n * column + (bits >> 8 & Integer(15));
    rows = n * row + (bits >> 16 & Integer(15)) + (bits >> 23 & Integer(30));
  }
};

/// sum / n of a cluster's pixels (0 < n <= those of a sensor, sum < 1024 n): its whole part, and
/// the fraction rounded once to double precision.
template <class Real>
struct Mean {
  using Integer = IntegerOf<Real>;
  using Precise = LanesOf<double, width_of<Real>>;
  Integer whole;
  Precise rest;

  KOKKOS_FORCEINLINE_FUNCTION Mean(const Integer& sum, const Integer& n) {
    const Integer zero(0), one(1);
    whole = convert<Integer>(convert<Real>(sum) / convert<Real>(n));
    Integer left = sum - whole * n;  // rounding may have crossed a whole number
    const auto too_large = left < zero;
    whole = select(too_large, whole - one, whole);
    left = select(too_large, left + n, left);
    const auto too_small = left >= n;
    whole = select(too_small, whole + one, whole);
    left = select(too_small, left - n, left);
    rest = convert<Precise>(left) / convert<Precise>(n);
  }
};

}  // namespace trackplex::lhcb::detail
