// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Worked example of the published method: 1e8 histories of 128 keV electrons in water on two EPYC
/// 7551, a V100 and a VU9P; the printed numbers, the numbers from the method, and where they
/// disagree.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/forecast.hpp>

#include <string>
#include <vector>

namespace trackplex::perfmodel {

/// Returns the application as published: 5000 instructions per history in 34.5 iterations, 16
/// diverging branches with an efficiency of 0.0625, 127 DSP and 10 Mb for one of 15 instances,
/// histograms of (201 + 101) x 8 bytes, 198 ms of the CPU after the FPGA. The rate of branch misses
/// is a measurement of the published CPU code (45 in 13,000 instructions); the working set fits
/// every cache.
Application published_application();

/// Published measurement of the example on one device (Table 2 of the publication).
struct PublishedMeasurement {
  const char* device;                ///< name in device_library()
  double time;                       ///< measured time, s
  double printed_speedup;            ///< speed-up over the CPU, as printed
  double printed_speedup_per_price;  ///< speed-up per price relative to the CPU, as printed

  /// Returns the price relative to the CPU that the two printed speed-ups imply.
  double relative_price() const { return printed_speedup / printed_speedup_per_price; }
};

/// Returns the published measurements, the CPU first.
std::vector<PublishedMeasurement> published_measurements();

/// Statement of the publication that contradicts another statement or its own numbers.
struct Inconsistency {
  std::string what,  ///< subject of the statement
      printed,       ///< value as printed
      computed;      ///< value that follows from the other numbers
};

/// Returns the inconsistencies of the publication, as text for a report.
std::vector<Inconsistency> published_inconsistencies();

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/published_example.impl.hpp>
#endif
