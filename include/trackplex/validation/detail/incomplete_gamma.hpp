// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace trackplex::validation::detail {

/// x - log(1 + x) for x > -1, without cancellation near 0: there by the series of
/// log((1 + s) / (1 - s)) with s = x / (2 + x).
inline double log1p_rest(double x) {
  if (std::abs(x) > 0.3) return x - std::log1p(x);
  const double s = x / (2. + x);
  double power = 2. * s * s * s, sum = 0.;
  for (int k = 3; k < 40; k += 2, power *= s * s) sum += power / k;
  return s * x - sum;  // x - 2s = s x
}

/// x^a e^-x / Gamma(a) for a, x > 0. For large a its factors overflow or cancel, and it is
/// sqrt(a / 2 pi) e^(-a (m - log(1 + m)) - stirling), m = x/a - 1, with Stirling's series of log a!
/// C. Loader, "Fast and accurate computation of binomial probabilities" (2000).
inline double gamma_prefactor(double a, double x) {
  if (a < 20.) return std::exp(a * std::log(x) - x - std::lgamma(a));
  const double z = 1. / (a * a);
  const double stirling = (1. / 12. - z * (1. / 360. - z * (1. / 1260. - z / 1680.))) / a;
  return std::sqrt(0.5 * std::numbers::inv_pi * a) *
         std::exp(-a * log1p_rest((x - a) / a) - stirling);
}

/// P and Q = 1 - P.
struct RegularizedGamma {
  double lower = 0., upper = 1.;
};

/// The regularised incomplete gamma functions P(a, x) and Q(a, x) for a > 0, x >= 0: the smaller
/// one by the series (x < a + 1) or the continued fraction of Q in Lentz's form.
/// W. H. Press et al., Numerical Recipes, 3rd ed. (2007), eqs. (6.2.5), (6.2.7); DLMF 8.11, 8.9.
inline RegularizedGamma regularized_gamma(double a, double x) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  if (x <= 0.) return {0., 1.};
  const double factor = gamma_prefactor(a, x);
  if (factor == 0.) return x < a ? RegularizedGamma{0., 1.} : RegularizedGamma{1., 0.};
  if (x < a + 1.) {
    double term = 1. / a, sum = term;
    for (double n = a + 1.; term > 0.25 * epsilon * sum; n += 1.) sum += term *= x / n;
    return {factor * sum, 1. - factor * sum};
  }
  constexpr int max_steps = 10'000'000;  // about 10 sqrt(a) are needed
  double b = x + 1. - a, c = 1e300, d = 1. / b, fraction = d;
  for (int i = 1; i < max_steps; ++i) {
    const double numerator = -i * (i - a);
    b += 2.;
    d = 1. / (numerator * d + b);
    c = b + numerator / c;
    fraction *= c * d;
    if (std::abs(c * d - 1.) <= 2. * epsilon) break;
  }
  return {1. - factor * fraction, factor * fraction};
}

}  // namespace trackplex::validation::detail
