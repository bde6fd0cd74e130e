// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/transfer_map.hpp>

#include <array>
#include <vector>

namespace trackplex::beam::detail {

/// Polynomial in the position along the axis, with polynomials in the initial coordinates as
/// coefficients.
using PositionSeries = std::vector<Polynomial>;

/// Product of two series to second order in the coordinates.
inline PositionSeries product(const PositionSeries& a, const PositionSeries& b) {
  PositionSeries p(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < b.size(); ++k) p[i + k] += beam::product(a[i], b[k], 2);
  return p;
}

/// Adds a factor times a series to another one.
inline void add(PositionSeries& to, double factor, const PositionSeries& series) {
  if (to.size() < series.size()) to.resize(series.size());
  for (std::size_t i = 0; i < series.size(); ++i) to[i].add(factor, series[i]);
}

/// Value and slope of a series at a position.
inline std::array<Polynomial, 2> value_and_slope(const PositionSeries& series, double position) {
  std::array<Polynomial, 2> result{};
  double power = 1.;
  for (std::size_t i = 0; i < series.size(); ++i) {
    result[0].add(power, series[i]);
    if (i + 1 < series.size()) result[1].add(power * double(i + 1), series[i + 1]);
    power *= position;
  }
  return result;
}

/// Magnet of second order with quadrupole, skew quadrupole and sextupole components k1, j1 (1/m^2)
/// and k2 (1/m^3), solved by successive approximations from the straight line:
///   x'' = -(k1 x + j1 y)/(1 + delta) - k2 (x^2 - y^2)/2
///   y'' =  (k1 y - j1 x)/(1 + delta) + k2 x y
class SextupoleSeries {
 public:
  SextupoleSeries(double k1, double j1, double k2) : k1_(k1), j1_(j1), k2_(k2) {
    for (const int i : {0, 1})
      start_[i] = path_[i] = {Polynomial::variable(2 * i), Polynomial::variable(2 * i + 1)};
    Polynomial one_plus_delta = Polynomial::variable(delta);
    one_plus_delta.c = 1.;
    weakening_ = power(one_plus_delta, -1., 2);
  }

  /// The next approximation.
  void improve() {
    const PositionSeries x = path_[0], y = path_[1];
    PositionSeries linear_x, linear_y;
    add(linear_x, -k1_, x);
    add(linear_x, -j1_, y);
    add(linear_y, k1_, y);
    add(linear_y, -j1_, x);
    PositionSeries force_x = product(linear_x, {weakening_});
    PositionSeries force_y = product(linear_y, {weakening_});
    add(force_x, -0.5 * k2_, product(x, x));
    add(force_x, 0.5 * k2_, product(y, y));
    add(force_y, k2_, product(x, y));
    path_ = {integrated_twice(start_[0], force_x), integrated_twice(start_[1], force_y)};
  }

  /// x and y.
  const std::array<PositionSeries, 2>& path() const { return path_; }

 private:
  static PositionSeries integrated_twice(const PositionSeries& start, const PositionSeries& force) {
    PositionSeries result = start;
    result.resize(force.size() + 2);
    for (std::size_t n = 0; n < force.size(); ++n)
      result[n + 2].add(1. / (double(n + 1) * double(n + 2)), force[n]);
    return result;
  }

  double k1_, j1_, k2_;
  std::array<PositionSeries, 2> start_, path_;
  Polynomial weakening_;  ///< 1/(1 + delta)
};

}  // namespace trackplex::beam::detail
