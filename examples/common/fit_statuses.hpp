// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/kalman/fit.hpp>

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace trackplex::program {

/// Numbers of fits with each `kalman::FitStatus`.
class FitStatuses {
 public:
  void add(kalman::FitStatus status) { ++counts_.at(std::size_t(status)); }

  /// A key for each status.
  nlohmann::ordered_json to_json() const;
  /// The statuses that occur, such as "98 fitted, 2 not reached"; empty if all fits are `fitted`.
  std::string text() const;

 private:
  std::array<std::uint64_t, kalman::fit_statuses> counts_{};
};

}  // namespace trackplex::program
