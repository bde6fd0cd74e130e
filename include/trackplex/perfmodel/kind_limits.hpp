// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Estimate by kind of operation: operations of each kind divided by the rate of the pipeline that
/// executes them. It is finer than (2.4), which counts each instruction as one cycle of one core.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <algorithm>
#include <optional>

namespace trackplex::perfmodel {

/// Instructions of a division or square root without a known rate: an approximation and the
/// Newton steps that refine it. A convention.
inline constexpr double instructions_per_division = 10.;

/// Time of all work items in each pipeline alone, s. 0: no such operations, or no known rate.
struct KindLimits {
  double arithmetic = 0.;    ///< additions, multiplications and fma
  double division = 0.;      ///< divisions and square roots
  double special = 0.;       ///< sine, cosine, logarithm, exponential
  double integer = 0.;       ///< integer operations
  double logic = 0.;         ///< comparisons, selections, signs, conversions
  double load = 0.;          ///< loads from the first-level cache
  double store = 0.;         ///< stores to the first-level cache
  double instructions = 0.;  ///< issue of the instructions of all kinds

  /// Returns the time with all pipelines busy at the same time, s: the slowest one counts, as on a
  /// GPU with many threads.
  double overlapped() const {
    return std::max({arithmetic, division, special, integer, logic, load, store, instructions});
  }
  /// Returns the time with one kind after the other, s, as if each operation waited for the
  /// previous one, but at least the time to issue the instructions.
  double in_turn() const {
    return std::max(arithmetic + division + special + integer + logic + load + store, instructions);
  }
  /// Returns the name of the slowest pipeline.
  const char* limit() const;
};

/// Estimates the time of an application on a device by kind of operation. Additions and
/// multiplications each occupy the slot of an fma, so that the arithmetic rate is half of the peak
/// flop/s. Divisions and special functions without a known rate count as instructions_per_division
/// and instructions_per_special_function instructions of arithmetic. In double precision all rates
/// except that of integers are lower by the ratio of the peak flop/s.
///
/// The result is empty if the application has no operations by kind or the device no peak rate.
/// @throws UsageError if a trip count is not a distribution
std::optional<KindLimits> kind_limits(const Application& application, const Device& device);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/kind_limits.impl.hpp>
#endif
