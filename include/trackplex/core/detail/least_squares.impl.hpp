// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/least_squares.hpp>
#include <trackplex/core/shortest.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trackplex {
namespace detail {

inline double sum_of_squares(const std::vector<double>& values) {
  double sum = 0.;
  for (const double value : values) sum += value * value;
  return sum;
}

/// Columns of a matrix with at least as many rows as columns.
using Columns = std::vector<std::vector<double>>;

/// Reflects columns j and following, and b, so that column j is 0 below its diagonal.
TRACKPLEX_INLINE void reflect(Columns& a, std::size_t j, std::vector<double>& b) {
  double norm = 0.;
  for (std::size_t i = j; i < b.size(); ++i) norm += a[j][i] * a[j][i];
  if (norm == 0.) return;
  norm = std::sqrt(norm);
  std::vector<double> v(a[j].begin() + std::ptrdiff_t(j), a[j].end());
  v[0] += v[0] < 0. ? -norm : norm;
  const double size = sum_of_squares(v);
  const auto apply = [&](std::vector<double>& to) {
    double product = 0.;
    for (std::size_t i = 0; i < v.size(); ++i) product += v[i] * to[j + i];
    const double factor = 2. * product / size;
    for (std::size_t i = 0; i < v.size(); ++i) to[j + i] -= factor * v[i];
  };
  for (std::size_t k = j; k < a.size(); ++k) apply(a[k]);
  apply(b);
}

/// Returns the x of the smallest |a x - b|; the columns must be independent.
TRACKPLEX_INLINE std::vector<double> solve_least_squares(Columns a, std::vector<double> b) {
  const std::size_t n = a.size();
  for (std::size_t j = 0; j < n; ++j) reflect(a, j, b);
  std::vector<double> x(n);
  for (std::size_t j = n; j-- > 0;) {
    x[j] = b[j];
    for (std::size_t k = j + 1; k < n; ++k) x[j] -= a[k][j] * x[k];
    x[j] /= a[j][j];
  }
  return x;
}

/// State of `least_squares`.
class LevenbergMarquardt {
 public:
  LevenbergMarquardt(const Residuals& residuals, const std::vector<Unknown>& unknowns,
                     double damping)
      : residuals_(residuals), unknowns_(unknowns), scale_(unknowns.size(), 0.), damping_(damping) {
    for (const auto& of : unknowns) at_.values.push_back(std::clamp(of.value, of.lower, of.upper));
    auto first = evaluate(at_.values);
    if (!first) throw UsageError("least squares", "the residuals are not defined at the start");
    at_.residuals = std::move(*first);
    sum_ = sum_of_squares(at_.residuals);
  }

  LeastSquares find(int iterations) {
    while (!at_.is_finished && at_.iterations < iterations) {
      ++at_.iterations;
      find_derivatives();
      at_.is_finished = !improve();
    }
    return std::move(at_);
  }

 private:
  /// Residuals that are not finite are not defined.
  std::optional<std::vector<double>> evaluate(const std::vector<double>& values) {
    ++at_.evaluations;
    auto found = residuals_(values);
    if (found && !std::isfinite(sum_of_squares(*found))) found.reset();
    return found;
  }

  void find_derivatives() {
    jacobian_.clear();
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      jacobian_.push_back(derivative(j));
      scale_[j] = std::max(scale_[j], std::sqrt(sum_of_squares(jacobian_.back())));
    }
  }

  std::vector<double> derivative(std::size_t j) {
    const Unknown& of = unknowns_[j];
    const double x = at_.values[j];
    double step = of.step > 0. ? of.step : x == 0. ? 1e-4 : 1e-4 * std::abs(x);
    for (int attempt = 0; attempt < 4; ++attempt, step *= 0.1) {
      const double up = std::min(x + step, of.upper), down = std::max(x - step, of.lower);
      const auto above = residuals_at(j, up), below = residuals_at(j, down);
      if (above && below) return slope(*above, *below, up - down);
      if (above) return slope(*above, at_.residuals, up - x);
      if (below) return slope(at_.residuals, *below, x - down);
    }
    return std::vector<double>(at_.residuals.size(), 0.);
  }

  /// Residuals with another value of an unknown; none without one.
  std::optional<std::vector<double>> residuals_at(std::size_t j, double value) {
    if (value == at_.values[j]) return std::nullopt;
    auto values = at_.values;
    values[j] = value;
    return evaluate(values);
  }

  static std::vector<double> slope(const std::vector<double>& above,
                                   const std::vector<double>& below, double distance) {
    std::vector<double> slope(above.size());
    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = (above[i] - below[i]) / distance;
    return slope;
  }

  bool is_free(std::size_t j) const {
    double gradient = 0., norm = 0.;
    for (std::size_t i = 0; i < at_.residuals.size(); ++i) {
      gradient += jacobian_[j][i] * at_.residuals[i];
      norm += jacobian_[j][i] * jacobian_[j][i];
    }
    const double x = at_.values[j];
    return norm > 0. && !(x <= unknowns_[j].lower && gradient >= 0.) &&
           !(x >= unknowns_[j].upper && gradient <= 0.);
  }

  /// Values after the step of the present damping, within the limits.
  std::vector<double> next(const std::vector<std::size_t>& free) const {
    const std::size_t m = at_.residuals.size(), n = free.size();
    Columns a(n, std::vector<double>(m + n, 0.));
    std::vector<double> b(m + n, 0.);
    for (std::size_t i = 0; i < m; ++i) b[i] = -at_.residuals[i];
    for (std::size_t k = 0; k < n; ++k) {
      std::ranges::copy(jacobian_[free[k]], a[k].begin());
      a[k][m + k] = std::sqrt(damping_) * scale_[free[k]];
    }
    const auto step = solve_least_squares(std::move(a), std::move(b));
    auto values = at_.values;
    for (std::size_t k = 0; k < n; ++k) {
      const Unknown& of = unknowns_[free[k]];
      values[free[k]] = std::clamp(values[free[k]] + step[k], of.lower, of.upper);
    }
    return values;
  }

  /// Sum of squares that the derivatives predict.
  double predicted(const std::vector<double>& values) const {
    auto residuals = at_.residuals;
    for (std::size_t j = 0; j < values.size(); ++j)
      for (std::size_t i = 0; i < residuals.size(); ++i)
        residuals[i] += jacobian_[j][i] * (values[j] - at_.values[j]);
    return sum_of_squares(residuals);
  }

  bool is_rounding(const std::vector<double>& values) const {
    for (std::size_t j = 0; j < values.size(); ++j)
      if (std::abs(values[j] - at_.values[j]) > 1e-14 * std::abs(at_.values[j])) return false;
    return true;
  }

  /// Goes to a smaller sum of squares. Returns false where there is none, or hardly.
  bool improve() {
    std::vector<std::size_t> free;
    for (std::size_t j = 0; j < unknowns_.size(); ++j)
      if (is_free(j)) free.push_back(j);
    if (free.empty()) return false;
    for (; damping_ < 1e16; damping_ = std::max(1e-6, 10. * damping_)) {
      auto values = next(free);
      if (is_rounding(values)) return false;
      auto found = evaluate(values);
      if (!found || !(sum_of_squares(*found) < sum_)) continue;
      const double sum = sum_of_squares(*found), gain = sum_ - sum;
      const double expected = sum_ - predicted(values);
      if (gain > 0.75 * expected) damping_ = std::max(1e-16, 0.1 * damping_);
      if (gain < 0.25 * expected) damping_ *= 4.;
      const bool goes_on = gain > 1e-10 * sum_;
      at_.values = std::move(values);
      at_.residuals = std::move(*found);
      sum_ = sum;
      return goes_on;
    }
    return false;
  }

  const Residuals& residuals_;
  const std::vector<Unknown>& unknowns_;
  std::vector<double> scale_;  ///< largest norms of columns of the derivatives
  Columns jacobian_;
  LeastSquares at_;
  double sum_ = 0., damping_;
};

}  // namespace detail

TRACKPLEX_INLINE LeastSquares least_squares(const Residuals& residuals,
                                            const std::vector<Unknown>& unknowns,
                                            const LeastSquaresParams& params) {
  if (unknowns.empty()) throw UsageError("least squares", "there are no unknowns");
  for (const auto& [value, lower, upper, step] : unknowns) {
    if (!std::isfinite(value) || !std::isfinite(step))
      throw UsageError("least squares", "an unknown or its step is not finite",
                       shortest(value) + ", " + shortest(step));
    if (!(lower <= upper))
      throw UsageError("least squares", "the limits of an unknown exclude each other",
                       shortest(lower) + " and " + shortest(upper));
  }
  if (!(params.damping > 0.) || !std::isfinite(params.damping))
    throw UsageError("least squares", "the damping is not above 0", shortest(params.damping));
  return detail::LevenbergMarquardt(residuals, unknowns, params.damping).find(params.iterations);
}

}  // namespace trackplex
