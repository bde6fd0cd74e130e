// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/smoothing.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/lane_memory.hpp>

#include <string>
#include <vector>

namespace trackplex::beam {
namespace detail {

TRACKPLEX_INLINE PolynomialFilter polynomial_filter(const char* where, int half_width, int order) {
  if (half_width < 0 || order < 0 || order > 2 * half_width)
    throw UsageError(
        where, "no such filter",
        "half width " + std::to_string(half_width) + ", order " + std::to_string(order),
        "the order is from 0 to twice the half width");
  const int n = 2 * half_width + 1;
  const double unit = half_width > 0 ? half_width : 1;
  const auto product = [n](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.;
    for (int i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  // Polynomials that are orthogonal on the points, by their recurrence, and their slopes in the
  // middle
  PolynomialFilter filter{std::vector<double>(n, 0.), std::vector<double>(n, 0.)};
  std::vector<double> last(n, 0.), p(n, 1.);
  double last_norm = 1., last_slope = 0., slope = 0.;
  for (int k = 0; k <= order; ++k) {
    const double norm = product(p, p), middle = p[half_width];
    for (int i = 0; i < n; ++i) {
      filter.value[i] += middle * p[i] / norm;
      filter.derivative[i] += slope / unit * p[i] / norm;
    }
    const double ratio = k == 0 ? 0. : norm / last_norm;
    std::vector<double> next(n);
    for (int i = 0; i < n; ++i) next[i] = (i - half_width) / unit * p[i] - ratio * last[i];
    const double next_slope = middle - ratio * last_slope;
    last = p;
    p = next;
    last_norm = norm;
    last_slope = slope;
    slope = next_slope;
  }
  return filter;
}

}  // namespace detail

TRACKPLEX_INLINE std::vector<double> smoothing_weights(int half_width, int order) {
  return detail::polynomial_filter("smoothing_weights", half_width, order).value;
}

TRACKPLEX_INLINE std::vector<double> derivative_weights(int half_width, int order) {
  return detail::polynomial_filter("derivative_weights", half_width, order).derivative;
}

}  // namespace trackplex::beam
