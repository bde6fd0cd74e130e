// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/fit_statuses.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace trackplex;
using program::FitStatuses;

TEST_CASE("the numbers of fits with each status", "[program]") {
  using enum kalman::FitStatus;
  FitStatuses statuses;
  CHECK(statuses.text().empty());
  statuses.add(fitted);
  CHECK(statuses.text().empty());
  for (const auto status : {stopped, not_reached, stopped, invalid_covariance, fitted})
    statuses.add(status);
  CHECK(statuses.text() == "2 fitted, 1 invalid covariance, 1 not reached, 2 stopped");
  CHECK(statuses.to_json() == nlohmann::ordered_json{{"fitted", 2},
                                                     {"invalid_hit", 0},
                                                     {"invalid_covariance", 1},
                                                     {"not_reached", 1},
                                                     {"stopped", 2},
                                                     {"invalid_start", 0}});
}

TEST_CASE("fits of which none is fitted", "[program]") {
  FitStatuses statuses;
  statuses.add(kalman::FitStatus::invalid_start);
  statuses.add(kalman::FitStatus::invalid_hit);
  CHECK(statuses.text() == "1 invalid hit, 1 invalid start");
}
