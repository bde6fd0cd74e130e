// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel.hpp"

#include <common/report.hpp>
#include <common/timing.hpp>
#include <trackplex/perfmodel/forecast.hpp>

#include <functional>
#include <string>
#include <vector>

namespace forecast {

/// A kernel's forecast on one core, and what it takes there.
struct Comparison {
  std::string kernel;
  bool from_memory = false;  ///< else all data is in the first cache
  double items = 0.;
  trackplex::perfmodel::Forecast forecast;
  trackplex::program::Spread seconds;  ///< of processor time, for all items

  /// ns per work item.
  double measured_ns() const { return 1e9 * seconds.median / items; }
  double forecast_ns() const { return 1e9 * forecast.in_turn.total / items; }
  /// Forecast over measurement, minus 1.
  double error() const { return forecast.in_turn.total / seconds.median - 1.; }
  double error_of_equations() const { return forecast.expected.total / seconds.median - 1.; }
};

/// Runs each kernel `repeat` times after a warm-up, with data in the cache and in memory.
/// `after_each()` is called after each of the two.
std::vector<Comparison> measure_kernels(const std::vector<Kernel>& kernels,
                                        const trackplex::perfmodel::Device& core, int repeat,
                                        const std::function<void()>& after_each);

std::string comparison_table(const std::vector<Comparison>& comparisons);
trackplex::program::Json to_json(const std::vector<Comparison>& comparisons);

}  // namespace forecast
