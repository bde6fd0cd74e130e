// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <trackplex/perfmodel/core_scaling.hpp>

#include <string>
#include <vector>

namespace forecast {

using namespace trackplex;

/// Forecasts of each chain over the cores of each device, device by device.
program::Json scalings_json(const std::vector<perfmodel::ChainProfile>& chains,
                            const std::vector<perfmodel::Device>& devices);

/// Table of the forecasts of scalings_json().
std::string scalings_text(const program::Json& scalings);

/// Speed-up against cores, one panel per device.
program::Json scaling_plot(const program::Json& scalings);

}  // namespace forecast
