// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <trackplex/kalman/track_state.hpp>

namespace trackplex::test {

/// Uniform numbers that are the same with every standard library.
class Uniform {
 public:
  explicit Uniform(unsigned seed) : bits_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * (double(bits_() >> 11) * 0x1p-53);
  }

 private:
  std::mt19937_64 bits_;
};

/// Steps of the coordinates of a state: positions, momenta.
inline constexpr double state_steps[6] = {1e-3, 1e-3, 1e-3, 1e-4, 1e-4, 1e-4};

/// The largest difference between a Jacobian and the central differences of `map` at x, relative to
/// the size of the derivative or `scale`. Ridders' extrapolation of two step sizes takes away the
/// leading error.
template <int To, int From, class Map, MatrixOperand Jacobian>
double worst_difference(const Vector<double, From>& x, const Map& map, const Jacobian& jacobian,
                        const double (&steps)[From], double scale = 1.) {
  const auto expected = as<Matrix<double, To, From>>(jacobian);
  double worst = 0.;
  for (int j = 0; j < From; ++j) {
    const auto slope = [&](int i, double h) {
      auto above = x, below = x;
      above(j) += h;
      below(j) -= h;
      return (map(above)(i) - map(below)(i)) / (2. * h);
    };
    for (int i = 0; i < To; ++i) {
      const double h = steps[j];
      const double difference = (4. * slope(i, h / 2.) - slope(i, h)) / 3.;
      worst = std::max(worst, std::fabs(difference - expected(i, j)) /
                                  std::max(scale, std::fabs(expected(i, j))));
    }
  }
  return worst;
}

}  // namespace trackplex::test
