// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>
#include <trackplex/core/math_parts.hpp>

namespace trackplex::beam::detail {

/// cos(f) and sin(f)/f of the phase advance f in a plane of a quadrupole, with f^2 = z; where z is
/// negative, cosh and sinh of sqrt(-z). Both are smooth functions of z.
template <class Real>
struct Focusing {
  Real cosine, sine;
};

/// Those of z and of -z, the two planes.
template <class Real>
struct FocusingPlanes {
  Focusing<Real> plus, minus;
};

/// By the series in z up to |z| = 1, whose even and odd terms both planes share. The value in a
/// lane depends only on its own argument.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION FocusingPlanes<Real> focusing_planes(const Real& z) {
  using T = ScalarOf<Real>;
  using trackplex::detail::polynomial;
  const Real y = z * z;
  const Real even =
      polynomial(y, T(1), T(1. / 24), T(1. / 40320), T(1. / 479001600), T(1. / 20922789888000));
  const Real odd = z * polynomial(y, T(1. / 2), T(1. / 720), T(1. / 3628800), T(1. / 87178291200),
                                  T(1. / 6402373705728000));
  const Real even_sine =
      polynomial(y, T(1), T(1. / 120), T(1. / 362880), T(1. / 6227020800), T(1. / 355687428096000));
  const Real odd_sine =
      z * polynomial(y, T(1. / 6), T(1. / 5040), T(1. / 39916800), T(1. / 1307674368000));
  const FocusingPlanes<Real> small{{even - odd, even_sine - odd_sine},
                                   {even + odd, even_sine + odd_sine}};
  const auto large = !(abs(z) < Real(1));
  if (none_of(large)) return small;
  const Real half(T(0.5)), phase = sqrt(abs(z)), per_phase = Real(1) / phase;
  const auto wave = sincos(phase);
  const Real growth = half * exp(phase), decay = half * exp(-phase);
  const Focusing<Real> focused{wave.cos, wave.sin * per_phase};
  const Focusing<Real> defocused{growth + decay, (growth - decay) * per_phase};
  const auto choose = [&](const auto& where, const Focusing<Real>& yes, const Focusing<Real>& no) {
    return Focusing<Real>{select(where, yes.cosine, no.cosine), select(where, yes.sine, no.sine)};
  };
  const auto positive = z > Real(0);
  return {choose(large, choose(positive, focused, defocused), small.plus),
          choose(large, choose(positive, defocused, focused), small.minus)};
}

}  // namespace trackplex::beam::detail
