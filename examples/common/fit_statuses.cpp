// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit_statuses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trackplex::program {

namespace {

using enum kalman::FitStatus;
constexpr std::array<std::pair<kalman::FitStatus, const char*>, kalman::fit_statuses> names{
    {{fitted, "fitted"},
     {invalid_hit, "invalid_hit"},
     {invalid_covariance, "invalid_covariance"},
     {not_reached, "not_reached"},
     {stopped, "stopped"},
     {invalid_start, "invalid_start"}}};

}  // namespace

nlohmann::ordered_json FitStatuses::to_json() const {
  nlohmann::ordered_json json;
  for (const auto& [status, name] : names) json[name] = counts_[std::size_t(status)];
  return json;
}

std::string FitStatuses::text() const {
  std::string text;
  bool all_fitted = true;
  for (const auto& [status, name] : names) {
    const auto count = counts_[std::size_t(status)];
    if (count == 0) continue;
    all_fitted = all_fitted && status == fitted;
    std::string words = name;
    std::ranges::replace(words, '_', ' ');
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, words);
  }
  return all_fitted ? std::string() : text;
}

}  // namespace trackplex::program
