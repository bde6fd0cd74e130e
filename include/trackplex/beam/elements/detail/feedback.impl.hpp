// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/moments.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/feedback.hpp>

#include <cstdint>

namespace trackplex::beam {

TRACKPLEX_INLINE void FeedbackPickup::check(const ElementCheck& check) const {
  check.finite("offset", offset);
  check.not_negative("noise", noise);
  if (interval < 1) check.refuse("interval", interval, "it must be one turn at least");
  for (const double a : filter) check.finite("coefficient of the filter", a);
}

TRACKPLEX_INLINE void FeedbackDriver::check(const ElementCheck& check) const {
  check.finite("strength", strength);
  check.not_negative("limit", limit);
  check.not_negative("delay", delay);
  if (interval < 1) check.refuse("interval", interval, "it must be one reading at least");
  for (const double b : filter) check.finite("coefficient of the filter", b);
}

namespace detail {

TRACKPLEX_INLINE double FeedbackFilter::add(double value) {
  const auto size = values_.size(), now = n_++;
  values_[now % size] = value;
  if (now < size) return 0.;
  double sum = 0.;
  for (std::size_t i = 0; i < coefficients_.size(); ++i)
    sum += coefficients_[i] * values_[(now - std::size_t(delay_) - i) % size];
  return sum;
}

}  // namespace detail
}  // namespace trackplex::beam
