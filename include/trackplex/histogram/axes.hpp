// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Axes: from values to the numbers of bins, for lanes and scalars. Every value has a bin: what
/// lies outside of an axis, the first or the last one; what is not a number, the first. Edges hold
/// up to the rounding of value - low; greater values never have lower bins.

#include <trackplex/core/error.hpp>
#include <trackplex/core/math.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace trackplex::histogram {

namespace detail {

/// More bins than any axis has: positions on it are whole numbers in any precision.
inline constexpr int too_many_bins = 1 << 22;

/// Throws unless low < high are finite and there are bins, but not too many.
inline void require_range(const char* axis, double low, double high, int bins) {
  if (!(std::isfinite(low) && std::isfinite(high) && low < high))
    throw UsageError(axis, "the range is empty or not finite",
                     "from " + std::to_string(low) + " to " + std::to_string(high));
  if (bins < 1) throw UsageError(axis, "there are no bins", std::to_string(bins) + " bins");
  if (bins >= too_many_bins)
    throw UsageError(axis, "there are too many bins", std::to_string(bins) + " bins",
                     "an axis has less than " + std::to_string(too_many_bins));
}

}  // namespace detail

/// Bins of equal width from `low` to `high`.
template <class T>
class RegularAxis {
 public:
  RegularAxis() = default;
  RegularAxis(double low, double high, int bins)
      : low_(T(low)), per_width_(T(bins / (high - low))), bins_(bins) {
    detail::require_range("RegularAxis", low, high, bins);
  }

  KOKKOS_FORCEINLINE_FUNCTION int bins() const { return bins_; }

  /// Where a value is in units of bins, bin i being [i, i + 1): below 0 or from `bins()` on where
  /// it lies outside.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real position(const Real& value) const {
    return (value - Real(low_)) * Real(per_width_);
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(const Real& value) const {
    return convert<IntegerOf<Real>>(min(max(Real(0), position(value)), Real(T(bins_ - 1))));
  }

 private:
  T low_ = 0, per_width_ = 1;
  int bins_ = 1;
};

/// Consecutive bins of a circle: `count` of them from `first` on, past the end of the axis on to
/// its beginning.
template <class Integer>
struct BinArc {
  Integer first, count;
};

/// Bins of equal width around a circle, of which a period begins at `low`.
template <class T>
class WrappedAxis {
 public:
  WrappedAxis() = default;
  WrappedAxis(double low, double high, int bins)
      : low_(T(low)),
        period_(T(high - low)),
        per_width_(T(bins / (high - low))),
        rounding_(T(8) * std::numeric_limits<T>::epsilon() * period_),
        bins_(bins) {
    detail::require_range("WrappedAxis", low, high, bins);
  }

  KOKKOS_FORCEINLINE_FUNCTION int bins() const { return bins_; }

  /// Of values less than 2^22 bins away; further ones are taken for 0 bins away.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> bin(const Real& value) const {
    return wrapped(unwrapped(value));
  }

  /// The bins that the values up to `half_width` (not negative) from `center` are in, each of them
  /// once: also those for which only the rounding of `difference` says so. Both values are less
  /// than a period away from the axis.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION BinArc<IntegerOf<Real>> around(const Real& center,
                                                             const Real& half_width) const {
    const Real half = min(Real(T(0.5)) * Real(period_), half_width) + Real(rounding_);
    const Real low = unwrapped(center - half), high = unwrapped(center + half);
    const Real count = min(high - low + Real(1), Real(T(bins_)));
    return {wrapped(low), convert<IntegerOf<Real>>(count)};
  }

  /// a - b, taken the short way round, of two values not more than a period apart.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real difference(const Real& a, const Real& b) const {
    const Real d = a - b, period = Real(period_), half = Real(T(0.5)) * period;
    return select(d > half, d - period, select(d < -half, d + period, d));
  }

 private:
  /// The number of the bin, a whole number, on an axis without end.
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

/// Bins between ascending edges, in memory that the axis does not own: bin i from edge i to
/// edge i + 1.
template <class T>
class VariableAxis {
 public:
  VariableAxis() = default;
  /// `edges`: a View of `bins` + 1 numbers that outlives the axis.
  template <class Edges>
  explicit VariableAxis(const Edges& edges)
      : edges_(edges.data()), bins_(int(edges.extent(0)) - 1) {
    if (bins_ < 1) throw UsageError("VariableAxis", "an axis has at least two edges");
  }

  KOKKOS_FORCEINLINE_FUNCTION int bins() const { return bins_; }

  /// By bisection.
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
