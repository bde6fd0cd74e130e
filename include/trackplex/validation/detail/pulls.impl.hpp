// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/angle.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/validation/chi2.hpp>
#include <trackplex/validation/pulls.hpp>
#include <trackplex/validation/significance.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace trackplex::validation {

TRACKPLEX_INLINE void Pulls::add(double value, double truth, double error) {
  if (!(error > 0.) || std::isinf(error)) {
    throw UsageError("pull", "the error of a value is no positive number", shortest(error),
                     "leave out values without an error");
  }
  add((value - truth) / error);
}

TRACKPLEX_INLINE void Pulls::add_angle(double value, double truth, double error) {
  add(wrapped_angle(value - truth), 0., error);
}

TRACKPLEX_INLINE void Pulls::add(double pull) {
  if (!std::isfinite(pull)) {
    throw UsageError("pull", "it is no finite number", shortest(pull),
                     "leave out what a fit has failed on");
  }
  ++count_;
  const double before = pull - mean_;
  mean_ += before / static_cast<double>(count_);
  squares_ += before * (pull - mean_);
  min_ = std::min(min_, pull);
  max_ = std::max(max_, pull);
  for (std::size_t k = 0; k < within_.size(); ++k)
    within_[k] += std::abs(pull) <= static_cast<double>(k + 1);
}

TRACKPLEX_INLINE Pulls& Pulls::operator+=(const Pulls& other) {
  if (other.count_ == 0) return *this;
  if (count_ == 0) return *this = other;
  const double n1 = static_cast<double>(count_), n2 = static_cast<double>(other.count_);
  const double difference = other.mean_ - mean_;
  mean_ += difference * (n2 / (n1 + n2));
  squares_ += other.squares_ + difference * difference * (n1 * (n2 / (n1 + n2)));
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  for (std::size_t k = 0; k < within_.size(); ++k) within_[k] += other.within_[k];
  return *this;
}

TRACKPLEX_INLINE std::uint64_t Pulls::count_within(int sigmas) const {
  if (sigmas < 1 || sigmas > 3) {
    throw UsageError("pulls within sigmas", "only 1, 2 and 3 are counted",
                     std::to_string(sigmas) + " asked for");
  }
  return within_[static_cast<std::size_t>(sigmas - 1)];
}

TRACKPLEX_INLINE double Pulls::fraction_within(int sigmas) const {
  const double within = static_cast<double>(count_within(sigmas));
  return count_ == 0 ? 0. : within / static_cast<double>(count_);
}

TRACKPLEX_INLINE bool Pulls::compatible_with_unit_normal(double z) const {
  if (count_ < 2) {
    throw UsageError("pulls", "too few for a verdict", std::to_string(count_) + " pulls");
  }
  const double n = static_cast<double>(count_);
  if (std::abs(mean_) * std::sqrt(n) > z) return false;
  const auto [lower, upper] = detail::regularized_gamma(0.5 * (n - 1.), 0.5 * squares_);
  if (2. * std::min(lower, upper) < p_value_of_sigmas(z)) return false;
  for (const int sigmas : {1, 2, 3}) {
    const double outside = p_value_of_sigmas(sigmas);
    if (n * outside < 10.) continue;
    const double error = std::sqrt(outside * (1. - outside) / n);
    if (std::abs(fraction_within(sigmas) - (1. - outside)) > z * error) return false;
  }
  return true;
}

}  // namespace trackplex::validation
