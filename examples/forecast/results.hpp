// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/decision.hpp>
#include <trackplex/program/report.hpp>

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

/// Where the publication contradicts itself.
std::string inconsistencies_text();
trackplex::program::Json inconsistencies_json();

}  // namespace forecast
