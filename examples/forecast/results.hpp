// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <trackplex/perfmodel/decision.hpp>

#include <string>
#include <vector>

namespace forecast {

/// The forecasts of one application on several devices.
struct Results {
  trackplex::perfmodel::Application application;
  std::vector<trackplex::perfmodel::Device> devices;
  std::vector<trackplex::perfmodel::Forecast> forecasts;  ///< in their order
  trackplex::perfmodel::Decision decision;
};

/// The tables and the decision.
std::string text(const Results& results);
trackplex::program::Json to_json(const Results& results);

/// The loops of an application, one in another, and its data, as a text.
std::string loop_flow(const trackplex::perfmodel::Application& application);

/// The rooflines of devices whose peak rates are known, with the forecasts; null without them.
trackplex::program::Json roofline_plot(const Results& results);

/// Where the publication contradicts itself.
std::string inconsistencies_text();
trackplex::program::Json inconsistencies_json();

}  // namespace forecast
