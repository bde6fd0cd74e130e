// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/application.hpp>
#include <trackplex/perfmodel/device.hpp>
#include <trackplex/perfmodel/kind_limits.hpp>

#include <optional>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE const char* KindLimits::limit() const {
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

TRACKPLEX_INLINE std::optional<KindLimits> kind_limits(const Application& application,
                                                       const Device& device) {
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
