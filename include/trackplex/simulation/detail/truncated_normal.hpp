// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

namespace trackplex::simulation::detail {

using trackplex::detail::polynomial;

/// The quantile of the normal distribution for the fraction 1/2 + p, |p| < 1/2; relative error at
/// most 6e-16 where 1/2 - |p| has all its digits.
/// M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Appl.
/// Statist. 37 (1988) 477, doi:10.2307/2347330.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real normal_quantile(const Real& p) {
  const Real z = Real(0.180625) - p * p;
  const Real center =
      p *
      polynomial(z, 3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                 1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                 3.3430575583588128105e4, 2.5090809287301226727e3) /
      polynomial(z, 1., 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
                 2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
                 5.2264952788528545610e3);
  const auto in_tail = abs(p) > Real(0.425);
  if (none_of(in_tail)) return center;
  const Real r = sqrt(-log(max(Real(0.5) - abs(p), Real(0x1p-54))));
  const Real x = r - Real(1.6);
  Real tail =
      polynomial(x, 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
                 3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
                 2.27238449892691845833e-2, 7.74545014278341407640e-4) /
      polynomial(x, 1., 2.05319162663775882187e0, 1.67638483018380384940e0,
                 6.89767334985100004550e-1, 1.48103976427480074590e-1, 1.51986665636164571966e-2,
                 5.47593808499534494600e-4, 1.05075007164441684324e-9);
  const auto far = r > Real(5.);
  if (any_of(far)) {
    const Real y = r - Real(5.);
    const Real far_tail =
        polynomial(y, 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
                   2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                   2.71155556874348757815e-5, 2.01033439929228813265e-7) /
        polynomial(y, 1., 5.99832206555887937690e-1, 1.36929880922735805310e-1,
                   1.48753612908506148525e-2, 7.86869131145613259100e-4, 1.84631831751005468180e-5,
                   1.42151175831644588870e-7, 2.04426310338993978564e-15);
    tail = select(far, far_tail, tail);
  }
  return select(in_tail, copysign(tail, p), center);
}

/// Normal numbers up to a cutoff, scaled to a variance of 1.
struct TruncatedNormal {
  double cutoff;              ///< in standard deviations of the normal distribution
  double fraction = 1.;       ///< of the distribution inside the cutoff
  double inverse_sigma = 1.;  ///< of the part inside

  TruncatedNormal() = default;
  explicit TruncatedNormal(double cutoff_in_sigma) : cutoff(cutoff_in_sigma) {
    if (cutoff > 8.) return;  // no number lies outside
    // fraction = 2 density(cutoff) * sum, sum = c + c^3/3 + c^5/(3 5) + ...; variance = 1 - c/sum
    double term = cutoff, sum = cutoff;
    for (int odd = 3; term > 0x1p-60 * sum; odd += 2) {
      term *= cutoff * cutoff / odd;
      sum += term;
    }
    constexpr double root_2_over_pi = 0x1.9884533d43651p-1;
    fraction = root_2_over_pi * trackplex::exp(-0.5 * cutoff * cutoff) * sum;
    inverse_sigma = 1. / trackplex::sqrt(1. - cutoff / sum);
  }

  /// The largest number.
  double limit() const { return cutoff * inverse_sigma; }

  /// The truncated normal number of a uniform number in (0, 1).
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real& uniform) const {
    const Real normal = normal_quantile((uniform - Real(0.5)) * Real(fraction));
    return max(min(normal, Real(cutoff)), Real(-cutoff)) * Real(inverse_sigma);
  }
};

}  // namespace trackplex::simulation::detail
