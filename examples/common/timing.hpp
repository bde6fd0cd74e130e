// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <chrono>
#include <map>
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
double quantile(const std::vector<double>& sorted, double q);

Spread spread_of(std::vector<double> values);

/// Times of steps, in their order; in reports and tables in microseconds per item.
using Times = std::vector<std::pair<std::string, Spread>>;

/// Times of the steps of repeated work, in microseconds.
class StepTimes {
 public:
  /// Adds to the time of a step in the current repetition.
  void add(const std::string& name, double microseconds);
  /// Ends a repetition and keeps its times.
  void keep_repetition();
  /// Ends a repetition and forgets its times: a warm-up.
  void drop_repetition();

  /// Of each step over the repetitions, for one of `items`, and of their sum, `total`, if there is
  /// no step of that name.
  Times times(double items = 1.) const;

 private:
  std::vector<std::string> names_;  ///< in the order in which they came first
  std::map<std::string, double> current_;
  std::vector<std::map<std::string, double>> repetitions_;
};

/// Times the steps of repeated work on one execution-space instance.
template <class ExecutionSpace>
class StepTimer : public StepTimes {
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

 private:
  ExecutionSpace exec_;
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
