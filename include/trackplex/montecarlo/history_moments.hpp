// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/history.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace trackplex::montecarlo {

/// Summed quantities of the ends of histories: powers of z, of the distance r from the z
/// axis and of the cosine between the final direction and z, and the number of scatterings. Lengths
/// are in units of the limit of the track length.
enum class Moment : int {
  z,            ///< z
  z2,           ///< z^2
  z4,           ///< z^4
  r2,           ///< r^2 = x^2 + y^2
  r4,           ///< r^4
  cosine,       ///< cos theta
  cosine2,      ///< cos^2 theta
  cosine4,      ///< cos^4 theta
  scatterings,  ///< number of scatterings
  scatterings2  ///< its square
};
inline constexpr int n_moments = 10;            ///< Number of quantities of `Moment`.
inline constexpr int n_fractional_moments = 8;  ///< The first ones, summed in `moment_unit`.

/// Unit of the sums of fractional moments. Each history adds a whole number of units, so that sums
/// do not depend on the order; the rounding error is at most 2^-33 per history.
inline constexpr double moment_unit = 0x1p-32;

/// Largest |z| and distance from the z axis, in limits of the track length, of a history in
/// the moments; histories beyond it are skipped and counted (`MomentSums::skipped`). Histories that
/// start near the origin never reach it. Sums of 8192 histories within it fit 64 bits.
inline constexpr double max_limits = 16.;

/// Calls `add(moment, value)` with each moment of an end in each lane of `among`, as an integer: in
/// units of `moment_unit`, or for scatterings unchanged. Returns the lanes of these ends: the other
/// lanes are beyond `max_limits` or have a NaN, and add at most 0.
template <class Real, class Add>
KOKKOS_FORCEINLINE_FUNCTION auto add_moments(const End<Real>& end, const Add& add,
                                             const MaskOf<Rebind<Real, double>>& among = true) {
  using Double = Rebind<Real, double>;
  using Integer = Rebind<Real, std::int64_t>;
  const auto wide = [](const Real& number) { return convert<Double>(number); };
  const Double x = wide(end.x), y = wide(end.y);
  Double z = wide(end.z), cosine = wide(end.direction.z);
  Double r2 = fma(x, x, y * y);
  const Double most(max_limits * max_limits);
  const auto within = among && z * z <= most && r2 <= most && cosine * cosine <= most;
  if (none_of(within)) return within;
  const auto units = [](const Double& value) {
    return convert<Integer>(floor(fma(value, Double(1. / moment_unit), Double(0.5))));
  };
  z = select(within, z, Double(0));
  r2 = select(within, r2, Double(0));
  cosine = select(within, cosine, Double(0));
  const Double z2 = z * z, cosine2 = cosine * cosine;
  const Integer scatterings = select(within, convert<Integer>(end.scatterings), Integer(0));
  add(Moment::z, units(z));
  add(Moment::z2, units(z2));
  add(Moment::z4, units(z2 * z2));
  add(Moment::r2, units(r2));
  add(Moment::r4, units(r2 * r2));
  add(Moment::cosine, units(cosine));
  add(Moment::cosine2, units(cosine2));
  add(Moment::cosine4, units(cosine2 * cosine2));
  add(Moment::scatterings, scatterings);
  add(Moment::scatterings2, scatterings * scatterings);
  return within;
}

/// Sum of 64-bit integers in 96 bits, which does not overflow: high 2^32 + low.
struct LargeSum {
  std::int64_t high = 0;  ///< Multiples of 2^32.
  std::uint64_t low = 0;  ///< Remainder, below 2^32.

  /// Adds a number.
  LargeSum& operator+=(std::int64_t value) {
    const std::int64_t whole = value >> 32;  // rounded down
    low += std::uint64_t(value - whole * (std::int64_t(1) << 32));
    high += whole + std::int64_t(low >> 32);
    low &= 0xffffffffu;
    return *this;
  }
  /// Adds another sum.
  LargeSum& operator+=(const LargeSum& other) {
    high += other.high;
    return *this += std::int64_t(other.low);
  }
  /// Returns the sum, rounded to double.
  double value() const { return double(high) * 0x1p32 + double(low); }
  /// Memberwise equality.
  friend bool operator==(const LargeSum&, const LargeSum&) = default;
};

/// Mean of a quantity over histories, with its standard error.
struct Estimate {
  double value = 0.;  ///< Mean.
  double error = 0.;  ///< Standard error of the mean.
};

/// Sums of the moments of histories, and their means. Lengths are in units of the limit of the
/// track length. Exact integers: sums of parts have the same bits in any order.
struct MomentSums {
  std::uint64_t histories = 0;  ///< Number of histories in the sums.
  std::uint64_t skipped = 0;    ///< Number of histories beyond `max_limits`, not in the sums.
  LargeSum sums[n_moments];     ///< Sum of each `Moment`, in `moment_unit`, or of scatterings
                                ///< unscaled.

  /// Adds the sums of other histories.
  MomentSums& operator+=(const MomentSums& other) {
    histories += other.histories;
    skipped += other.skipped;
    for (int i = 0; i < n_moments; ++i) sums[i] += other.sums[i];
    return *this;
  }
  /// Returns the mean of a moment over the histories; 0 without any.
  double mean(Moment moment) const {
    const int i = int(moment);
    return histories == 0 ? 0.
                          : sums[i].value() * (i < n_fractional_moments ? moment_unit : 1.) /
                                double(histories);
  }
  /// Returns the mean of a quantity with its standard error, the root of the variance over n - 1,
  /// from its moment and that of its square. The error is rough if the variance is below 1e-9,
  /// because of the rounding to `moment_unit`; it is 0 for fewer than two histories.
  Estimate estimate(Moment of, Moment of_square) const {
    const double m = mean(of), variance = std::max(0., mean(of_square) - m * m);
    return {m, histories < 2 ? 0. : std::sqrt(variance / double(histories - 1))};
  }
  /// Returns the mean of z.
  Estimate z() const { return estimate(Moment::z, Moment::z2); }
  /// Returns the mean of z^2.
  Estimate z2() const { return estimate(Moment::z2, Moment::z4); }
  /// Returns the mean of r^2 = x^2 + y^2.
  Estimate r2() const { return estimate(Moment::r2, Moment::r4); }
  /// Returns the mean of cos theta, theta between the final direction and z.
  Estimate cosine() const { return estimate(Moment::cosine, Moment::cosine2); }
  /// Returns the mean of cos^2 theta.
  Estimate cosine2() const { return estimate(Moment::cosine2, Moment::cosine4); }
  /// Returns the mean number of scatterings of a history.
  Estimate scatterings() const { return estimate(Moment::scatterings, Moment::scatterings2); }
  /// Memberwise equality.
  friend bool operator==(const MomentSums&, const MomentSums&) = default;
};

}  // namespace trackplex::montecarlo
