// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit_statuses.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trackplex::program {

namespace {

constexpr std::array<const char*, kalman::fit_statuses> names{
    "fitted", "invalid_hit", "not_reached", "stopped", "invalid_start", "invalid_covariance"};

}  // namespace

nlohmann::ordered_json FitStatuses::to_json() const {
  nlohmann::ordered_json json;
  for (std::size_t status = 0; status < names.size(); ++status)
    json[names[status]] = counts_[status];
  return json;
}

std::string FitStatuses::text() const {
  if (std::all_of(counts_.begin() + 1, counts_.end(), [](auto count) { return count == 0; }))
    return {};
  std::string text;
  for (std::size_t status = 0; status < names.size(); ++status) {
    if (counts_[status] == 0) continue;
    std::string name = names[status];
    std::ranges::replace(name, '_', ' ');
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts_[status], name);
  }
  return text;
}

}  // namespace trackplex::program
