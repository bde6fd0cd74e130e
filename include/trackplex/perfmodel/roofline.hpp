// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The roofline: what the peak rates of a device allow at most, beside the forecast.

#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <algorithm>

namespace trackplex::perfmodel {

/// flop/s in the precision of the application; 0: not known.
inline double peak_flops(const Device& device, bool double_precision) {
  return double_precision ? device.peak.fp64 : device.peak.fp32;
}

/// min(peak, intensity * bandwidth), flop/s. `intensity`: flop per byte of memory.
inline double attainable_flops(double peak, double bandwidth, double intensity) {
  return std::min(peak, intensity * bandwidth);
}

struct Roofline {
  double flops = 0.;       ///< of all work items
  double bytes = 0.;       ///< from and to the device's memory
  double peak = 0.;        ///< flop/s
  double bandwidth = 0.;   ///< bytes/s, with no inefficiency
  double attainable = 0.;  ///< flop/s
  double time = 0.;        ///< s: no program with these flops and bytes takes less

  /// flop per byte; infinite for a program without memory traffic.
  double intensity() const { return flops / bytes; }
  /// Whether the peak rate and what else is needed are known.
  bool known() const { return peak > 0. && (bytes == 0. || bandwidth > 0.); }
};

inline Roofline roofline_of(const Application& application, const Device& device) {
  Roofline roof;
  roof.flops = application.items * totals_of(application).operations.flops();
  for (const auto& stream : application.streams)
    if (stream.path == Path::memory)
      roof.bytes += stream.bytes + application.items * stream.bytes_per_item;
  roof.peak = peak_flops(device, application.double_precision);
  roof.bandwidth = device.memory.bandwidth * device.memory.encoding;
  if (!roof.known()) return roof;
  roof.attainable =
      roof.bytes > 0. ? attainable_flops(roof.peak, roof.bandwidth, roof.intensity()) : roof.peak;
  roof.time = std::max(roof.flops / roof.peak, roof.bytes > 0. ? roof.bytes / roof.bandwidth : 0.);
  return roof;
}

}  // namespace trackplex::perfmodel
