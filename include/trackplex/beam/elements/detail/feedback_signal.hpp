// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/core/compiled.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Signals of a feedback, which its pickup and its drivers share.

namespace trackplex::beam::detail {

/// Values of the last turns, and their sum with the coefficients of a filter.
class FeedbackFilter {
 public:
  FeedbackFilter() = default;
  FeedbackFilter(std::vector<double> coefficients, int delay)
      : coefficients_(std::move(coefficients)),
        delay_(delay),
        values_(coefficients_.size() + std::size_t(delay)) {}

  /// Adds a value; returns the sum, 0 until there are enough values.
  double add(double value);

 private:
  std::vector<double> coefficients_;
  int delay_ = 0;
  std::vector<double> values_;
  std::size_t n_ = 0;
};

/// Signals of pickups for drivers, by name.
struct FeedbackSignal {
  Coordinate plane = x;
  int interval = 1;
  double output = 0.;
};
using FeedbackSignals = std::map<std::string, FeedbackSignal>;

/// Returns true for turns from the first to the last one; below 0 there is no last turn.
inline bool is_among(int turn, int first, int last) {
  return turn >= first && (last < 0 || turn <= last);
}

}  // namespace trackplex::beam::detail

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/feedback_signal.impl.hpp>
#endif
