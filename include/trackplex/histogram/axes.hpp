// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Axes map values to bin numbers, for lanes and scalars. Values have the unit of the axis. Every
/// value has a bin: values outside a `RegularAxis` or `VariableAxis` are in its first or last bin,
/// NaN in the first. Edges of bins of equal width hold up to the rounding of value - low; on a
/// straight axis a larger value never has a lower bin.

#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/shortest.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace trackplex::histogram {

namespace detail {

/// Upper limit of the number of bins of an axis: positions up to it are exact in single precision.
inline constexpr int too_many_bins = 1 << 22;

/// Throws unless, in precision T, low < high, both and the bins have finite numbers, and the number
/// of bins is allowed.
template <class T>
void require_range(const char* axis, double low, double high, int bins) {
  const T per_width = T(bins / (high - low));
  if (!(std::isfinite(T(low)) && std::isfinite(T(high)) && T(low) < T(high)))
    throw UsageError(axis, "the range is empty or not finite",
                     "from " + shortest(low) + " to " + shortest(high) + " in numbers of " +
                         std::to_string(8 * sizeof(T)) + " bits");
  if (bins < 1) throw UsageError(axis, "there are no bins", std::to_string(bins) + " bins");
  if (bins >= too_many_bins)
    throw UsageError(axis, "there are too many bins", std::to_string(bins) + " bins",
                     "an axis has less than " + std::to_string(too_many_bins));
  if (!(std::isfinite(per_width) && per_width > T(0)))
    throw UsageError(axis, "the bins are too wide or too narrow",
                     std::to_string(bins) + " from " + shortest(low) + " to " + shortest(high) +
                         " in numbers of " + std::to_string(8 * sizeof(T)) + " bits");
}

}  // namespace detail

/// Axis of bins of equal width from `low` to `high`, in precision T.
template <class T>
class RegularAxis {
 public:
  /// One bin from 0 to 1.
  RegularAxis() = default;
  /// Makes an axis of `bins` bins.
  /// @throws UsageError if the range is empty or not finite in precision T, or there is no bin or
  /// 2^22 and more
  RegularAxis(double low, double high, int bins)
      : low_(T(low)), per_width_(T(bins / (high - low))), bins_(bins) {
    detail::require_range<T>("RegularAxis", low, high, bins);
  }

  KOKKOS_FORCEINLINE_FUNCTION int bins() const { return bins_; }  ///< Number of bins.

  /// Returns the position of a value in units of bins: bin i is [i, i + 1). Outside the axis it
  /// is negative, or `bins()` and above.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real position(const Real& value) const {
    return (value - Real(low_)) * Real(per_width_);
  }

  /// Returns the number of the bin of each lane's value, 0 to `bins()` - 1.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(const Real& value) const {
    return convert<IntegerOf<Real>>(min(max(Real(0), position(value)), Real(T(bins_ - 1))));
  }

 private:
  T low_ = 0, per_width_ = 1;
  int bins_ = 1;
};

/// Consecutive bins of a circle: `count` bins from number `first` on, continued at bin 0 after the
/// last one.
template <class Integer>
struct BinArc {
  Integer first,  ///< Number of the first bin.
      count;      ///< Number of bins.
};

/// Axis of bins of equal width around a circle, such as the azimuth, in precision T. The period is
/// `high` - `low`.
template <class T>
class WrappedAxis {
 public:
  /// One bin from 0 to 1.
  WrappedAxis() = default;
  /// Makes an axis of `bins` bins.
  /// @throws UsageError if the range is empty or not finite in precision T, or there is no bin or
  /// 2^22 and more
  WrappedAxis(double low, double high, int bins)
      : low_(T(low)),
        period_(T(high - low)),
        per_width_(T(bins / (high - low))),
        rounding_(T(8) * std::numeric_limits<T>::epsilon() * period_),
        bins_(bins) {
    detail::require_range<T>("WrappedAxis", low, high, bins);
  }

  KOKKOS_FORCEINLINE_FUNCTION int bins() const { return bins_; }  ///< Number of bins.

  /// Returns the number of the bin of each lane's value, 0 to `bins()` - 1. Values 2^22 bins and
  /// more from `low`, and NaN, count as `low`.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(const Real& value) const {
    return wrapped(unwrapped(value));
  }

  /// Returns the bins of all values up to `half_width` from `center`, each bin once.
  ///
  /// `half_width` is not negative; `center` is less than a period away from the axis. Values that
  /// only the rounding of `difference` moves to the ends are included.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION BinArc<IntegerOf<Real>> around(const Real& center,
                                                             const Real& half_width) const {
    const Real half = min(Real(T(0.5)) * Real(period_), half_width) + Real(rounding_);
    const Real low = unwrapped(center - half), high = unwrapped(center + half);
    const Real count = min(high - low + Real(1), Real(T(bins_)));
    return {wrapped(low), convert<IntegerOf<Real>>(count)};
  }

  /// Returns a - b the short way around the circle, of two values at most a period apart.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real difference(const Real& a, const Real& b) const {
    const Real d = a - b, period = Real(period_), half = Real(T(0.5)) * period;
    return select(d > half, d - period, select(d < -half, d + period, d));
  }

 private:
  /// Returns the number of the bin on an infinite axis, a whole number.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real unwrapped(const Real& value) const {
    const Real position = (value - Real(low_)) * Real(per_width_);
    return floor(select(abs(position) < Real(T(detail::too_many_bins)), position, Real(0)));
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> wrapped(const Real& bin) const {
    const Real n = Real(T(bins_));
    const Real from_begin = bin - n * floor(bin / n);
    return convert<IntegerOf<Real>>(min(max(Real(0), from_begin), n - Real(1)));
  }

  T low_ = 0, period_ = 1, per_width_ = 1;
  T rounding_ = 0;  ///< of differences between values
  int bins_ = 1;
};

/// Axis of bins between ascending edges, in memory that the axis does not own: bin i is [edge i,
/// edge i + 1).
template <class T>
class VariableAxis {
 public:
  /// No bins; not usable.
  VariableAxis() = default;
  /// Refers to a View of `bins` + 1 ascending numbers, which must outlive the axis.
  /// @throws UsageError if there are fewer than two edges
  template <class Edges>
  explicit VariableAxis(const Edges& edges)
      : edges_(edges.data()), bins_(int(edges.extent(0)) - 1) {
    if (bins_ < 1) throw UsageError("VariableAxis", "an axis has at least two edges");
  }

  KOKKOS_FORCEINLINE_FUNCTION int bins() const { return bins_; }  ///< Number of bins.

  /// Returns the number of the bin of each lane's value, 0 to `bins()` - 1, found by bisection.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(const Real& value) const {
    using Integer = IntegerOf<Real>;
    using I = ScalarOf<Integer>;
    Integer bin = 0;
    int step = 1;
    while (2 * step < bins_) step *= 2;
    for (; step > 0; step /= 2) {
      const Integer next = bin + Integer(I(step));
      const auto exists = next < Integer(I(bins_));
      const Real edge = gather<Real>(edges_, select(exists, next, Integer(0)), exists);
      bin = select(exists && value >= edge, next, bin);
    }
    return bin;
  }

 private:
  const T* edges_ = nullptr;
  int bins_ = 0;
};

}  // namespace trackplex::histogram
