// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/timing.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace trackplex::program {

double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) throw std::invalid_argument("the quantile of no values does not exist");
  const double position = q * double(sorted.size() - 1);
  const auto below = std::size_t(position);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - double(below));
}

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), quantile(values, 0.), quantile(values, 0.25),
          quantile(values, 0.75), quantile(values, 1.)};
}

void StepTimes::add(const std::string& name, double microseconds) {
  if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  current_[name] += microseconds;
}

void StepTimes::keep_repetition() { repetitions_.push_back(std::exchange(current_, {})); }

void StepTimes::drop_repetition() { current_.clear(); }

Times StepTimes::times(double items) const {
  Times result;
  std::vector<double> totals(repetitions_.size());
  for (const auto& name : names_) {
    std::vector<double> elapsed;
    for (std::size_t i = 0; i < repetitions_.size(); ++i) {
      const auto time = repetitions_[i].find(name);
      elapsed.push_back(time == repetitions_[i].end() ? 0. : time->second / items);
      totals[i] += elapsed.back();
    }
    result.emplace_back(name, spread_of(std::move(elapsed)));
  }
  if (std::ranges::find(names_, "total") == names_.end())
    result.emplace_back("total", spread_of(std::move(totals)));
  return result;
}

}  // namespace trackplex::program
