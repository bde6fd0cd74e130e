// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/perfmodel/equations.hpp>
#include <trackplex/perfmodel/forecast.hpp>
#include <trackplex/perfmodel/fpga_design.hpp>
#include <trackplex/perfmodel/kind_limits.hpp>
#include <trackplex/perfmodel/roofline.hpp>

#include <cmath>
#include <string>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE const char* Terms::dominant() const {
  const struct {
    const char* name;
    double time;
  } terms[] = {
      {"compute", compute}, {"memory", memory}, {"link", link}, {"start", start}, {"host", host}};
  const auto* largest = &terms[0];
  for (const auto& term : terms)
    if (term.time > largest->time) largest = &term;
  return largest->name;
}

namespace detail {

TRACKPLEX_INLINE void require_positive(double value, const std::string& where) {
  if (!(value > 0.) || !std::isfinite(value))
    throw UsageError(where, "must be a number above 0", "is " + shortest(value));
}

/// Completes a computing time with the terms that do not depend on it, and their total.
TRACKPLEX_INLINE Terms terms_with(double compute, const Application& application,
                                  const Device& device, const ForecastParams& options) {
  Terms terms;
  terms.compute = compute;
  terms.memory = transfer_time(application.streams, Path::memory, application.items, device.memory);
  // A CPU is the host: nothing has to come over a link.
  if (device.kind != DeviceKind::cpu)
    terms.link = transfer_time(application.streams, Path::link, application.items, device.link);
  if (options.with_start) terms.start = device.start;
  if (device.kind == DeviceKind::fpga)
    terms.host = application.items * application.fpga.host_per_item;
  terms.total = terms.start + terms.host +
                total_time(terms.compute, terms.memory, terms.link, application.overlap);
  return terms;
}

}  // namespace detail

TRACKPLEX_INLINE Forecast forecast(const Application& application, const Device& device,
                                   const ForecastParams& options) {
  detail::require_positive(application.items, application.name + ": items");
  detail::require_positive(device.clock, device.name + ": clock");
  detail::require_positive(device.cores, device.name + ": cores");
  Forecast result;
  result.device = device.name;
  result.kind = device.kind;
  result.cores = device.cores;
  result.roofline = roofline_of(application, device);
  const auto terms = [&](double compute) {
    return detail::terms_with(compute, application, device, options);
  };
  if (device.kind == DeviceKind::fpga) {
    result.fit = fit_on_fpga(application, device.fpga);
    result.expected = terms(pipeline_time(application.items, pipeline_iterations(application),
                                          result.fit->instances, device.clock));
    result.best = result.worst = result.expected;
    return result;
  }

  const auto totals = totals_of(application);
  detail::require_positive(totals.instructions, application.name + ": instructions");
  result.efficiency = efficiency_of(application, device.group);
  detail::require_positive(result.efficiency, application.name + ": efficiency");
  const auto compute = [&](double factor) {
    return terms(compute_time(application.items, factor * totals.instructions, result.efficiency,
                              device.clock, device.cores));
  };
  result.best = compute(options.best);
  result.expected = compute(1.);
  result.worst = compute(options.worst);
  result.limits = kind_limits(application, device);
  if (result.limits) {
    result.overlapped = terms(result.limits->overlapped() / result.efficiency);
    result.in_turn = terms(result.limits->in_turn() / result.efficiency);
  }
  return result;
}

}  // namespace trackplex::perfmodel
