// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel.hpp"

#include <common/report.hpp>
#include <trackplex/perfmodel/decision.hpp>

#include <functional>
#include <string>
#include <vector>

namespace forecast {

/// The forecasts of one application on several devices.
struct Results {
  perfmodel::Application application;
  std::vector<perfmodel::Device> devices;
  std::vector<perfmodel::Forecast> forecasts;  ///< in their order
  perfmodel::Decision decision;
};

/// The tables and the decision.
std::string text(const Results& results);
program::Json to_json(const Results& results);

/// The loops of an application, one in another, and its data, as a text.
std::string loop_flow(const perfmodel::Application& application);

/// The rooflines of devices whose peak rates are known, with the forecasts; null without them.
program::Json roofline_plot(const Results& results);

/// Where the publication contradicts itself.
std::string inconsistencies_text();
program::Json inconsistencies_json();

/// Runs each kernel `repeat` times after a warm-up, with data in the cache and in memory: what it
/// takes on one core, in ns of processor time per work item, and what was forecast.
/// `after_each()` is called after each of the two.
program::Json measure_kernels(const std::vector<Kernel>& kernels, const perfmodel::Device& core,
                              int repeat, const std::function<void()>& after_each);

std::string comparison_table(const program::Json& comparisons);

}  // namespace forecast
