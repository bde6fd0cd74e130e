// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/perfmodel/core_scaling.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE double TrafficCurve::operator()(double cache) const {
  if (points.empty()) return 0.;
  if (!(cache > points.front().cache)) return points.front().bytes_per_item;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const Point &low = points[i - 1], &high = points[i];
    if (cache < high.cache)
      return low.bytes_per_item + (high.bytes_per_item - low.bytes_per_item) *
                                      std::log(cache / low.cache) /
                                      std::log(high.cache / low.cache);
  }
  return points.back().bytes_per_item;
}

namespace detail {

TRACKPLEX_INLINE void require_scaling(const ChainProfile& chain, const Device& device,
                                      const std::vector<double>& cores) {
  const auto positive = [](double value, const std::string& where) {
    if (!(value > 0.) || !std::isfinite(value))
      throw UsageError(where, "must be a number above 0", "is " + shortest(value));
  };
  if (device.kind != DeviceKind::cpu)
    throw UsageError(device.name, "shares no memory between cores of a host", "is no CPU");
  positive(chain.time, chain.name + ": time");
  positive(device.clock, device.name + ": clock");
  positive(device.memory.bandwidth, device.name + ": bandwidth");
  for (const double n : cores)
    if (!(n >= 1. && n <= device.cores))
      throw UsageError(device.name, "has no such number of cores", "asked for " + shortest(n),
                       "1 to " + shortest(device.cores));
}

}  // namespace detail

TRACKPLEX_INLINE CoreScaling scale_over_cores(const ChainProfile& chain, const Device& device,
                                              const std::vector<double>& cores) {
  detail::require_scaling(chain, device, cores);
  const double time = chain.time * (chain.clock > 0. ? chain.clock / device.clock : 1.);
  const auto cache = [&](double n) { return device.core_cache + device.shared_cache / n; };
  const auto transfer = [&](double n) {
    double rate = device.memory.rate(0.) / n;
    if (device.core_bandwidth > 0.) rate = std::min(rate, device.core_bandwidth);
    return chain.traffic(cache(n)) / rate;
  };

  CoreScaling result{.chain = chain.name, .device = device.name, .single = 0.};
  const double first = transfer(1.);
  result.single = 1. / std::max(time, first);
  for (const double n : cores) {
    const double moved = transfer(n);
    result.points.push_back({.cores = n,
                             .cache = cache(n),
                             .bytes_per_item = chain.traffic(cache(n)),
                             .best = n / std::max(time, moved),
                             .worst = n / std::max(moved, time + moved - first)});
  }
  for (double n = 1.; n <= device.cores && result.saturation == 0.; ++n)
    if (transfer(n) > time) result.saturation = n;
  return result;
}

TRACKPLEX_INLINE std::vector<double> core_counts(const Device& device) {
  std::vector<double> counts;
  for (double n = 1.; n < device.cores; n *= 2.) counts.push_back(n);
  counts.push_back(device.cores);
  return counts;
}

}  // namespace trackplex::perfmodel
