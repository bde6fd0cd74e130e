// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Kicks of a wake from the binned bunch.

#include <trackplex/beam/collective/detail/wake_particles.hpp>
#include <trackplex/beam/collective/smoothing.hpp>
#include <trackplex/beam/collective/wake_table.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/copy.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace trackplex::beam::detail {

/// Parameters of elements with wakes that determine the bins.
struct WakeBinning {
  const char* where;
  double spacing;  ///< of the table, s
  int points;      ///< of the table
  int bins;        ///< 0: as many as the bunch needs
  int max_bins;
  bool allow_long_beam;
  double shift = 0.;  ///< of the given number of bins, in bins
  const char* what = "table of wakes";
  const char* hint = "allow a long beam if wakes beyond the table are 0";

  /// Returns the max number of bins.
  int capacity() const {
    if (bins > 0) return bins;
    return allow_long_beam ? max_bins : std::min(points + 2, max_bins);
  }
};

/// Range and mean of the delays of a bunch, m.
struct DelayRange {
  double first, last, mean;
};

/// Returns the bins of a bunch: as wide as the spacing of the table, around the mean, or from a bin
/// before the first particle to one after the last.
/// @throws UsageError if delays are not finite or the bunch is longer than the table
/// @throws CapacityError if it needs more bins than there may be
DelayGrid wake_grid(const WakeBinning& binning, const DelayRange& range);

/// Numbers of bins as doubles, smoothed, `stride` integers from one bin to the next.
template <class Real, class Integer>
struct FillBins {
  const Integer* from;
  int stride;
  double unit;
  const double* smoothing;  ///< weights
  int half_width;           ///< 0: no smoothing
  int bins;
  double* numbers;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    using Index = IntegerOf<Real>;
    using I = ScalarOf<Index>;
    Real sum(0);
    for (int k = -half_width; k <= half_width; ++k) {
      const Index at = min(max(tile.index() + Index(I(k)), Index(I(0))), Index(I(bins - 1)));
      const Real number = gather<Real>(from, at * Index(I(stride)));
      sum = half_width > 0 ? fma(number, Real(smoothing[k + half_width]), sum) : number;
    }
    tile.store(numbers, sum * Real(unit));
  }
};

/// Convolution of the numbers in bins with a wake, V_i = sum_k W_k n_(i-k): each bin separately,
/// in the order of k. Before the first number there are `margin` zeros.
template <class Real, class T>
struct ConvolveWake {
  static constexpr int margin = 16;  ///< lanes, at most
  const double* numbers;
  const double* wake;
  int points;
  double volts;  ///< V of a wake of 1
  double kicks_per_volt;
  double* voltage;
  T* kicks;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const int end = min(points, tile.first + tile.count);
    Real sum(0);
    for (int k = 0; k < end; ++k)
      sum = fma(Real(wake[k]), load<Real>(numbers + (tile.first - k)), sum);
    const Real v = sum * Real(volts);
    tile.store(voltage, v);
    tile.store(kicks, convert<Rebind<Real, T>>(v * Real(kicks_per_volt)));
  }
};

/// Tables and arrays of one component of a wake.
template <class T, class MemorySpace>
struct WakeField {
  template <class U>
  using Array = Kokkos::View<U*, MemorySpace>;

  Array<double> wake;     ///< table
  Array<double> numbers;  ///< in bins, between margins of zeros
  Array<double> voltage;  ///< V
  Array<T> kicks;         ///< one more than bins
  Array<double> smoothing;
  int half_width = 0;
  std::string component;

  template <class ExecutionSpace>
  WakeField(const ExecutionSpace& exec, const std::vector<double>& table, int capacity,
            const std::vector<double>& weights) {
    constexpr int margins = 2 * ConvolveWake<double, T>::margin;
    wake = to_device<double>(exec, "Trackplex::Beam::wake", table);
    smoothing = to_device<double>(exec, "Trackplex::Beam::smoothing", weights);
    half_width = int(weights.size()) / 2;
    const auto zeros = [&](auto& array, const std::string& label, int n) {
      array = new_zeros<std::decay_t<decltype(array)>>(exec, "Trackplex::Beam::" + label,
                                                       std::size_t(n));
    };
    zeros(numbers, "wake_numbers", capacity + margins);
    zeros(voltage, "wake_voltage", capacity);
    zeros(kicks, "wake_kicks", capacity + 1);
  }

  /// Enqueues the voltage and the kicks of bins with integers `stride` apart, in units.
  template <class Real, class ExecutionSpace, class Integer>
  void find(const ExecutionSpace& exec, const Integer* from, int stride, double unit, int bins,
            double volts, double kicks_per_volt) const {
    double* const first = numbers.data() + ConvolveWake<Real, T>::margin;
    for_each_tile<Real>(
        exec, "Trackplex::Beam::fill_wake_bins", bins,
        FillBins<Real, Integer>{from, stride, unit, smoothing.data(), half_width, bins, first});
    for_each_tile<Real>(exec, "Trackplex::Beam::convolve_wake", bins,
                        ConvolveWake<Real, T>{first, wake.data(), int(wake.extent(0)), volts,
                                              kicks_per_volt, voltage.data(), kicks.data()});
  }
};

}  // namespace trackplex::beam::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/wake_field.impl.hpp>
#endif
