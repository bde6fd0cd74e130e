// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Forecast of the run time of one application on one device.

#include <trackplex/core/shortest.hpp>
#include <trackplex/perfmodel/equations.hpp>
#include <trackplex/perfmodel/fpga_design.hpp>
#include <trackplex/perfmodel/kind_limits.hpp>
#include <trackplex/perfmodel/roofline.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace trackplex::perfmodel {

/// Terms of a forecast, s.
struct Terms {
  double compute = 0.;  ///< computation, (2.3) or (2.4)
  double memory = 0.;   ///< transfers from and to the device's memory, (2.1)
  double link = 0.;     ///< transfers over the link, (2.1); 0 for a CPU
  double start = 0.;    ///< start of the device, where ForecastParams::with_start asks for it
  double host = 0.;     ///< work of the host after an FPGA
  double total = 0.;    ///< (2.5), (2.6) or between, plus start and host

  /// Returns the name of the largest term other than the total.
  const char* dominant() const {
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
};

/// Parameters of a forecast; the factors are those of the published method.
struct ForecastParams {
  double best = 0.5;        ///< factor of the instructions in the best case
  double worst = 2.;        ///< factor of the instructions in the worst case
  bool with_start = false;  ///< adds Device::start
};

/// Forecast of one application on one device.
struct Forecast {
  std::string device{};               ///< name of the device
  DeviceKind kind = DeviceKind::cpu;  ///< kind of the device
  double cores = 0.;                  ///< Device::cores
  double efficiency = 1.;             ///< eta of lanes in lock step; 1 for an FPGA
  Terms best{},    ///< by (2.4) with ForecastParams::best times the instructions; FPGA: by (2.3)
      expected{},  ///< by (2.4) with the instructions as counted; FPGA: by (2.3)
      worst{};     ///< by (2.4) with ForecastParams::worst times the instructions; FPGA: by (2.3)
  std::optional<KindLimits> limits{};  ///< times by kind of operation, where counts and rates exist
  Terms overlapped{},   ///< computing time: KindLimits::overlapped() / eta; 0 without `limits`
      in_turn{};        ///< computing time: KindLimits::in_turn() / eta; 0 without `limits`
  Roofline roofline{};  ///< lower bound by peak rates
  std::optional<FpgaFit> fit{};  ///< instances of the design, for an FPGA
};

namespace detail {

inline void require_positive(double value, const std::string& where) {
  if (!(value > 0.) || !std::isfinite(value))
    throw UsageError(where, "must be a number above 0", "is " + shortest(value));
}

/// Completes a computing time with the terms that do not depend on it, and their total.
inline Terms terms_with(double compute, const Application& application, const Device& device,
                        const ForecastParams& options) {
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

/// Forecasts the run time of an application on a device: by (2.3) for an FPGA, else by (2.4), with
/// the estimates by kind of operation and the roofline.
/// @throws UsageError if items, clock, cores, instructions or efficiency are not above 0, if a
/// channel that data needs has no bandwidth, or if the design does not fit on the FPGA
inline Forecast forecast(const Application& application, const Device& device,
                         const ForecastParams& options = {}) {
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
