// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::program {

/// Median and spread of repeated measurements, in their unit.
struct Spread {
  double median = 0.;
  double min = 0.;
  double lower_quartile = 0.;
  double upper_quartile = 0.;
  double max = 0.;

  /// Of steps that come one after the other.
  friend Spread operator+(const Spread& a, const Spread& b) {
    return {a.median + b.median, a.min + b.min, a.lower_quartile + b.lower_quartile,
            a.upper_quartile + b.upper_quartile, a.max + b.max};
  }
  friend Spread operator/(Spread s, double divisor) {
    for (double* value : {&s.median, &s.min, &s.lower_quartile, &s.upper_quartile, &s.max})
      *value /= divisor;
    return s;
  }
};

/// The quantile q of sorted values, linear between neighbours.
inline double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) throw std::invalid_argument("the quantile of no values does not exist");
  const double position = q * double(sorted.size() - 1);
  const auto below = std::size_t(position);
  const auto above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], position - double(below));
}

inline Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), quantile(values, 0.), quantile(values, 0.25),
          quantile(values, 0.75), quantile(values, 1.)};
}

/// Times of steps, in their order; in reports and tables in microseconds per item.
using Times = std::vector<std::pair<std::string, Spread>>;

/// Times the steps of repeated work on one execution-space instance. Times are in microseconds.
template <class ExecutionSpace>
class StepTimer {
 public:
  explicit StepTimer(const ExecutionSpace& exec) : exec_(exec) {}

  /// Runs `step` between two fences of the instance and adds its time to the current repetition. A
  /// step that comes several times in a repetition, once per batch for example, counts as their
  /// sum.
  template <class Step>
  void time(const std::string& name, Step&& step) {
    exec_.fence();
    const auto start = std::chrono::steady_clock::now();
    std::forward<Step>(step)();
    exec_.fence();
    const std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - start;
    add(name, elapsed.count());
  }

  /// Adds microseconds that were measured elsewhere.
  void add(const std::string& name, double microseconds) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
    current_[name] += microseconds;
  }

  /// Ends a repetition and keeps its times.
  void keep_repetition() { repetitions_.push_back(std::exchange(current_, {})); }
  /// Ends a repetition and forgets its times: a warm-up.
  void drop_repetition() { current_.clear(); }

  /// Of each step over the repetitions, for one of `items`, and of their sum, `total`, if there is
  /// no step of that name.
  Times times(double items = 1.) const {
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

 private:
  ExecutionSpace exec_;
  std::vector<std::string> names_;  ///< in the order in which they came first
  std::map<std::string, double> current_;
  std::vector<std::map<std::string, double>> repetitions_;
};

/// One warm-up and then `repeat` timed calls of `body(timer)`, which times its steps.
/// `after_each()` runs after each of the repeat + 1 calls, untimed.
template <class ExecutionSpace, class Body, class AfterEach>
StepTimer<ExecutionSpace> measure(const ExecutionSpace& exec, int repeat, Body&& body,
                                  AfterEach&& after_each) {
  StepTimer<ExecutionSpace> timer(exec);
  body(timer);
  timer.drop_repetition();
  after_each();
  for (int i = 0; i < repeat; ++i) {
    body(timer);
    timer.keep_repetition();
    after_each();
  }
  return timer;
}
template <class ExecutionSpace, class Body>
StepTimer<ExecutionSpace> measure(const ExecutionSpace& exec, int repeat, Body&& body) {
  return measure(exec, repeat, std::forward<Body>(body), [] {});
}

}  // namespace trackplex::program
