// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Two representations of the azimuth of a hit: 16 bits that wrap around, or radians with a branch
/// cut. Both have the same static members, which kernels take as a policy.

#include <trackplex/core/math.hpp>

#include <numbers>

namespace trackplex::lhcb {

/// Azimuth in 1/65536 of a turn, -32768 to 32767, from a monotone approximation of atan2. Its error
/// is up to 0.07 rad, which does not matter as long as hits and predictions use the same
/// approximation. Differences wrap around the circle.
template <class RealScalar>
struct Phi16 {
  /// Stored azimuth: an integer as wide as a real, so that lanes load and compare both together.
  using Key = IntegerOf<RealScalar>;
  static constexpr bool circular = true;  ///< whether windows wrap around the circle

  /// Counts of the key per radian.
  static constexpr RealScalar counts_per_radian = RealScalar(32768. / std::numbers::pi);

  /// Keys of all lanes.
  template <class Real>
  using Lane = IntegerOf<Real>;

  /// Returns the key of the direction (x, y), in any unit of length; both sides of a detector share
  /// the same keys.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static IntegerOf<Real> of(Real x, Real y,
                                                        IntegerOf<Real> /*side*/ = 0) {
    constexpr auto pi = RealScalar(std::numbers::pi);
    const Real a = abs(y);
    const auto right = x >= Real(0);
    const Real numerator = select(right, x - a, x + a);
    const Real denominator = select(right, x + a, a - x);
    const auto at_origin = denominator == Real(0);
    const Real ratio = numerator / select(at_origin, Real(1), denominator);
    const Real offset = select(right, Real(RealScalar(0.25) * pi), Real(RealScalar(0.75) * pi));
    const Real phi = offset - RealScalar(0.25) * pi * select(at_origin, Real(0), ratio);
    return wrap(convert<IntegerOf<Real>>(copysign(phi, y) * counts_per_radian));
  }

  /// Encodes a key, bit by bit, as the fourth number of a hit's record.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real to_record(IntegerOf<Real> key) {
    return bit_cast<Real>(key);
  }
  /// Decodes a key from the fourth number of a hit's record.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static IntegerOf<Real> from_record(Real w) {
    return bit_cast<IntegerOf<Real>>(w);
  }

  /// Converts the half width of a window from radians to counts.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static IntegerOf<Real> width(Real radians) {
    return convert<IntegerOf<Real>>(radians * counts_per_radian);
  }

  /// Wraps a sum or difference of keys into -32768 to 32767.
  template <class Integer>
  KOKKOS_FORCEINLINE_FUNCTION static Integer wrap(Integer key) {
    constexpr int shift = 8 * sizeof(ScalarOf<Integer>) - 16;
    return (key << shift) >> shift;
  }

  /// Returns the bin of a key, 0 to 2^Log2Bins - 1, non-decreasing in the key.
  template <int Log2Bins, class Integer>
  KOKKOS_FORCEINLINE_FUNCTION static Integer bin(Integer key, Integer /*side*/) {
    return (key + Integer(32768)) >> (16 - Log2Bins);
  }
};

/// Azimuth in radians. Side 0 (x < 0) counts from 0 to 2 pi, side 1 from -pi to pi, which keeps the
/// branch cut away from the hits of a detector whose halves are left and right of the beam.
template <class RealScalar>
struct PhiRadians {
  using Key = RealScalar;                  ///< stored azimuth, rad
  static constexpr bool circular = false;  ///< whether windows wrap around the circle

  /// Keys of all lanes.
  template <class Real>
  using Lane = Real;

  /// Returns the azimuth (rad) of the direction (x, y) for a hit on this side.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real of(Real x, Real y, IntegerOf<Real> side) {
    constexpr auto two_pi = RealScalar(2. * std::numbers::pi);
    const Real phi = atan2(y, x);
    return select((side == IntegerOf<Real>(0)) && (phi < Real(0)), phi + two_pi, phi);
  }

  /// Returns the azimuth as the fourth number of a hit's record.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real to_record(Real phi) {
    return phi;
  }
  /// Returns the azimuth from the fourth number of a hit's record.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real from_record(Real w) {
    return w;
  }

  /// Returns the bin of an azimuth on a side, 0 to 2^Log2Bins - 1; beyond the range of the side,
  /// the first or the last one.
  template <int Log2Bins, class Real>
  KOKKOS_FORCEINLINE_FUNCTION static IntegerOf<Real> bin(Real phi, IntegerOf<Real> side) {
    constexpr int bins = 1 << Log2Bins;
    constexpr auto pi = RealScalar(std::numbers::pi);
    constexpr auto per_radian = RealScalar(bins / (2. * std::numbers::pi));
    const Real from_edge = select(side == IntegerOf<Real>(0), phi, phi + pi);
    const auto b = convert<IntegerOf<Real>>(from_edge * per_radian);
    return min(max(b, IntegerOf<Real>(0)), IntegerOf<Real>(bins - 1));
  }
};

}  // namespace trackplex::lhcb
