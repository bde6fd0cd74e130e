// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// A finer estimate than (2.4), which takes every instruction for one cycle of one core: operations
/// of each kind against the rate of the pipeline that does them.

#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <algorithm>
#include <optional>

namespace trackplex::perfmodel {

/// Instructions of a division or square root where no rate is known: an estimate, and the steps
/// that refine it. A convention.
inline constexpr double instructions_per_division = 10.;

/// The time of all work items in each pipeline, s, if it had no other work; 0: no such operations,
/// or no known rate.
struct KindLimits {
  double arithmetic = 0.;
  double division = 0.;
  double special = 0.;
  double integer = 0.;
  double logic = 0.;
  double load = 0.;
  double store = 0.;
  double instructions = 0.;  ///< all kinds, through the issue of instructions

  /// All pipelines busy at the same time: the slowest counts, as on a GPU with many threads.
  double overlapped() const {
    return std::max({arithmetic, division, special, integer, logic, load, store, instructions});
  }
  /// One kind after the other, as where each operation waits for those before it.
  double in_turn() const {
    return std::max(arithmetic + division + special + integer + logic + load + store, instructions);
  }
  /// The name of the slowest.
  const char* limit() const {
    const double most = overlapped();
    return most == instructions ? "instructions"
           : most == arithmetic ? "arithmetic"
           : most == division   ? "division"
           : most == special    ? "special functions"
           : most == integer    ? "integers"
           : most == logic      ? "logic"
           : most == load       ? "loads"
                                : "stores";
  }
};

/// Nothing where the application has no operations by kind or the device no peak rate. Additions
/// and multiplications take the place of an fma. In double precision all rates but that of integers
/// are as much lower as that of the arithmetic.
inline std::optional<KindLimits> kind_limits(const Application& application, const Device& device) {
  const auto totals = totals_of(application);
  const Operations& o = totals.operations;
  const auto& peak = device.peak;
  const double flops = application.double_precision ? peak.fp64 : peak.fp32;
  if (o == Operations{} || flops == 0.) return std::nullopt;
  const double relative =
      application.double_precision && peak.fp32 > 0. ? peak.fp64 / peak.fp32 : 1.;

  double arithmetic = o.arithmetic();
  if (peak.special == 0.) arithmetic += instructions_per_special_function * o.special;
  if (peak.division == 0.) arithmetic += instructions_per_division * o.divisions();
  const auto time = [&](double count, double rate) {
    return rate > 0. ? application.items * count / rate : 0.;
  };
  KindLimits limits;
  limits.arithmetic = time(arithmetic, flops / 2.);
  limits.division = time(o.divisions(), relative * peak.division);
  limits.special = time(o.special, relative * peak.special);
  limits.integer = time(o.integer, peak.integer);
  limits.logic = time(o.logic, relative * peak.logic);
  limits.load = time(o.load, relative * peak.load);
  limits.store = time(o.store, relative * peak.store);
  limits.instructions =
      time(totals.instructions,
           peak.instructions > 0. ? relative * peak.instructions : device.clock * device.cores);
  return limits;
}

}  // namespace trackplex::perfmodel
