// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/history.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace trackplex::montecarlo {

/// Sums over histories, in order: z, z^2, z^4, r^2, r^4, cos, cos^2, cos^4 and the number of
/// scatterings and its square, lengths in units of the limit.
enum class Moment : int { z, z2, z4, r2, r4, cosine, cosine2, cosine4, scatterings, scatterings2 };
inline constexpr int n_moments = 10;
inline constexpr int n_fractional_moments = 8;

/// Each history adds a whole number of units, so that sums do not depend on their order; the
/// rounding is below 2^-33 a history.
inline constexpr double moment_unit = 0x1p-32;

/// Farther than so many limits from the origin or the z axis a history is left out of the moments,
/// and counted as such. From sources near the origin none gets there: 8192 of them fit 64 bits.
inline constexpr double max_limits = 16.;

/// The moments of one end, in units; `add(moment, value)` for each. Whether it has them: it has
/// not beyond `max_limits`, nor if a number of it is none.
template <class T, class Add>
KOKKOS_FORCEINLINE_FUNCTION bool add_moments(const End<T>& end, const Add& add) {
  const auto units = [](double value) {
    return convert<std::int64_t>(floor(fma(value, 1. / moment_unit, 0.5)));
  };
  const double z = double(end.z), cosine = double(end.direction.z);
  const double r2 = fma(double(end.x), double(end.x), double(end.y) * double(end.y));
  const double z2 = z * z, cosine2 = cosine * cosine;
  constexpr double most = max_limits * max_limits;
  if (!(z2 <= most && r2 <= most && cosine2 <= most)) return false;
  add(Moment::z, units(z));
  add(Moment::z2, units(z2));
  add(Moment::z4, units(z2 * z2));
  add(Moment::r2, units(r2));
  add(Moment::r4, units(r2 * r2));
  add(Moment::cosine, units(cosine));
  add(Moment::cosine2, units(cosine2));
  add(Moment::cosine4, units(cosine2 * cosine2));
  add(Moment::scatterings, std::int64_t(end.scatterings));
  add(Moment::scatterings2, std::int64_t(end.scatterings) * end.scatterings);
  return true;
}

/// A sum of 64-bit integers that does not overflow: high 2^32 + low.
struct LargeSum {
  std::int64_t high = 0;
  std::uint64_t low = 0;  ///< below 2^32

  LargeSum& operator+=(std::int64_t value) {
    const std::int64_t whole = value >> 32;  // rounded down
    low += std::uint64_t(value - whole * (std::int64_t(1) << 32));
    high += whole + std::int64_t(low >> 32);
    low &= 0xffffffffu;
    return *this;
  }
  LargeSum& operator+=(const LargeSum& other) {
    high += other.high;
    return *this += std::int64_t(other.low);
  }
  double value() const { return double(high) * 0x1p32 + double(low); }
  friend bool operator==(const LargeSum&, const LargeSum&) = default;
};

/// A mean with its standard error.
struct Estimate {
  double value = 0.;
  double error = 0.;
};

/// Moments of the histories so far.
struct MomentSums {
  std::uint64_t histories = 0;  ///< in the sums
  std::uint64_t skipped = 0;    ///< histories beyond `max_limits`
  LargeSum sums[n_moments];

  MomentSums& operator+=(const MomentSums& other) {
    histories += other.histories;
    skipped += other.skipped;
    for (int i = 0; i < n_moments; ++i) sums[i] += other.sums[i];
    return *this;
  }
  double mean(Moment moment) const {
    const int i = int(moment);
    return histories == 0 ? 0.
                          : sums[i].value() * (i < n_fractional_moments ? moment_unit : 1.) /
                                double(histories);
  }
  /// Mean of a quantity, given the moment of its square. Its error is that of the mean of this
  /// sample; of variances below 1e-9, where the units show, it is rough.
  Estimate estimate(Moment of, Moment of_square) const {
    const double m = mean(of), variance = std::max(0., mean(of_square) - m * m);
    return {m, histories < 2 ? 0. : std::sqrt(variance / double(histories - 1))};
  }
  Estimate z() const { return estimate(Moment::z, Moment::z2); }
  Estimate z2() const { return estimate(Moment::z2, Moment::z4); }
  Estimate r2() const { return estimate(Moment::r2, Moment::r4); }
  Estimate cosine() const { return estimate(Moment::cosine, Moment::cosine2); }
  Estimate cosine2() const { return estimate(Moment::cosine2, Moment::cosine4); }
  Estimate scatterings() const { return estimate(Moment::scatterings, Moment::scatterings2); }
  friend bool operator==(const MomentSums&, const MomentSums&) = default;
};

}  // namespace trackplex::montecarlo
