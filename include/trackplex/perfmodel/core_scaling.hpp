// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Forecast of the throughput of a chain on many cores of a CPU, which share its memory and its
/// last-level cache.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <string>
#include <vector>

namespace trackplex::perfmodel {

/// Memory traffic of a chain as a function of the cache that a core has. It is linear in the
/// logarithm of the cache between the points and constant outside; without points it is 0.
struct TrafficCurve {
  /// Point of the curve.
  struct Point {
    double cache,        ///< cache of a core, bytes, above 0
        bytes_per_item;  ///< bytes per work item that move between this cache and the memory
    /// Whether all members are equal.
    friend bool operator==(const Point&, const Point&) = default;
  };
  std::vector<Point> points{};  ///< points in ascending order of the cache

  /// Returns the traffic with `cache` bytes of cache, bytes per work item.
  double operator()(double cache) const;
  /// Whether all points are equal.
  friend bool operator==(const TrafficCurve&, const TrafficCurve&) = default;
};

/// Measured needs of a chain whose work items are independent, one item at a time on each core.
struct ChainProfile {
  std::string name{};         ///< name of the chain
  std::string item{"event"};  ///< name of a work item
  double time = 0.;           ///< time of an item on one core, s, above 0
  double clock = 0.;          ///< clock of that core, Hz; 0: that of any device
  TrafficCurve traffic{};     ///< memory traffic per item
  double memory = 0.;         ///< memory of each core for its items in flight, bytes

  /// Whether all members are equal.
  friend bool operator==(const ChainProfile&, const ChainProfile&) = default;
};

/// Forecast for one number of cores. The best case hides all transfers behind computation, as
/// (2.6); in the worst case a core waits for the additional transfers, as (2.5).
struct CoreScalingPoint {
  double cores = 0.;           ///< cores in use
  double cache = 0.;           ///< cache of a core with its share of the last level, bytes
  double bytes_per_item = 0.;  ///< traffic with this cache, bytes
  double best = 0.;            ///< throughput of all cores in the best case, items/s
  double worst = 0.;           ///< throughput of all cores in the worst case, items/s
};

/// Forecast of a chain over numbers of cores.
struct CoreScaling {
  std::string chain{};                     ///< ChainProfile::name
  std::string device{};                    ///< Device::name
  double single = 0.;                      ///< throughput of one core, items/s
  std::vector<CoreScalingPoint> points{};  ///< in the order of the numbers of cores
  double saturation = 0.;  ///< smallest number of cores that saturates the memory; 0: none
};

/// Forecasts the throughput of a chain on 1 to Device::cores cores of a CPU. A core computes for
/// \f$T\f$ per item, as measured, scaled by the clocks, and transfers \f$S(c_n)\f$ bytes:
/// \f[ c_n = c_\mathrm{core} + \frac{c_\mathrm{shared}}{n},\qquad
///     M_n = \frac{S(c_n)}{\min(BW_\mathrm{core}, BW / n)},\qquad
///     \max(T, M_n) \le T_n \le T + M_n - M_1. \f]
/// The memory is saturated where \f$M_n > T\f$.
/// @throws UsageError if the time of the chain, the clock or the bandwidth of the device is not
/// above 0, if the device is no CPU, or if it does not have that many cores
CoreScaling scale_over_cores(const ChainProfile& chain, const Device& device,
                             const std::vector<double>& cores);

/// Returns 1, 2, 4, ... and the number of cores of a device.
std::vector<double> core_counts(const Device& device);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/core_scaling.impl.hpp>
#endif
