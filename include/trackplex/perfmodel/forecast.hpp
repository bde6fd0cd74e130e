// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Forecast of the run time of one application on one device.

#include <trackplex/core/compiled.hpp>
#include <trackplex/perfmodel/fpga_design.hpp>
#include <trackplex/perfmodel/kind_limits.hpp>
#include <trackplex/perfmodel/roofline.hpp>

#include <optional>
#include <string>

namespace trackplex::perfmodel {

/// Terms of a forecast, s.
struct Terms {
  double compute = 0.;  ///< computation, (2.3) or (2.4)
  double memory = 0.;   ///< transfers from and to the device's memory, (2.1)
  double link = 0.;     ///< transfers over the link, (2.1); 0 for a CPU
  double start = 0.;    ///< start of the device, with ForecastParams::with_start
  double host = 0.;     ///< work of the host after an FPGA
  double total = 0.;    ///< (2.5), (2.6) or between, plus start and host

  /// Returns the name of the largest term other than the total.
  const char* dominant() const;
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

/// Forecasts the run time of an application on a device: by (2.3) for an FPGA, else by (2.4), with
/// the estimates by kind of operation and the roofline.
/// @throws UsageError if items, clock, cores, instructions or efficiency are not above 0, if a
/// channel that data needs has no bandwidth, or if the design does not fit on the FPGA
Forecast forecast(const Application& application, const Device& device,
                  const ForecastParams& options = {});

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/forecast.impl.hpp>
#endif
