// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/feedback_signal.hpp>

#include <cstddef>

namespace trackplex::beam::detail {

TRACKPLEX_INLINE double FeedbackFilter::add(double value) {
  const auto size = values_.size(), now = n_++;
  values_[now % size] = value;
  if (now < size) return 0.;
  double sum = 0.;
  for (std::size_t i = 0; i < coefficients_.size(); ++i)
    sum += coefficients_[i] * values_[(now - std::size_t(delay_) - i) % size];
  return sum;
}

}  // namespace trackplex::beam::detail
