// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <array>
#include <cmath>
#include <string>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE double EfficiencyCurve::operator()(double bytes) const {
  if (points.empty()) return 1.;
  if (bytes <= points.front().bytes) return points.front().efficiency;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto &a = points[i - 1], &b = points[i];
    if (bytes < b.bytes)
      return std::lerp(a.efficiency, b.efficiency,
                       std::log(bytes / a.bytes) / std::log(b.bytes / a.bytes));
  }
  return points.back().efficiency;
}

TRACKPLEX_INLINE Channel pcie(int generation, int lanes) {
  constexpr std::array<double, 5> transfers{2.5e9, 5e9, 8e9, 16e9, 32e9};
  if (generation < 1 || generation > 5)
    throw UsageError("pcie", "no generation " + std::to_string(generation), "known: 1 to 5");
  return {.bandwidth = transfers[std::size_t(generation - 1)] * lanes / 8.,
          .encoding = pcie_encoding(generation)};
}

TRACKPLEX_INLINE const char* name_of(DeviceKind kind) {
  constexpr std::array<const char*, 3> names{"CPU", "GPU", "FPGA"};
  return names[std::size_t(kind)];
}

}  // namespace trackplex::perfmodel
