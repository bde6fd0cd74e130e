// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Roofline model: the bound from the peak rates of a device, in addition to the forecast.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <algorithm>

namespace trackplex::perfmodel {

/// Returns the peak rate in single or double precision, flop/s; 0: not known.
inline double peak_flops(const Device& device, bool double_precision) {
  return double_precision ? device.peak.fp64 : device.peak.fp32;
}

/// Returns the attainable rate, flop/s: min(peak, intensity * bandwidth), with the `intensity` in
/// flop per byte of memory traffic and the `bandwidth` in bytes/s.
///
/// S. Williams, A. Waterman, D. Patterson, "Roofline: an insightful visual performance model for
/// multicore architectures", Commun. ACM 52 (2009) 65.
inline double attainable_flops(double peak, double bandwidth, double intensity) {
  return std::min(peak, intensity * bandwidth);
}

/// Position of an application under the roofline of a device.
struct Roofline {
  double flops = 0.;       ///< floating-point operations of all work items
  double bytes = 0.;       ///< bytes from and to the device's memory, of all work items
  double peak = 0.;        ///< peak rate in the application's precision, flop/s; 0: not known
  double bandwidth = 0.;   ///< bandwidth of the memory, bytes/s, at full efficiency
  double attainable = 0.;  ///< attainable rate, flop/s; 0 unless known()
  double time = 0.;        ///< lower bound of the time, s: max of both limits; 0 unless known()

  /// Returns the arithmetic intensity, flop per byte; infinite without memory traffic.
  double intensity() const { return flops / bytes; }
  /// Whether the peak rate is known, and the bandwidth if there is memory traffic.
  bool known() const { return peak > 0. && (bytes == 0. || bandwidth > 0.); }
};

/// Computes the roofline of an application on a device from the operations of its loops and its
/// streams to the device's memory.
/// @throws UsageError if a trip count is not a distribution
Roofline roofline_of(const Application& application, const Device& device);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/roofline.impl.hpp>
#endif
