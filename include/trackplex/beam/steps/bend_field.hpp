// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/canonical_multipole.hpp>
#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::beam {

/// Field of a bending magnet in units of that of the reference particle's curve, as a polynomial in
/// x and y, m, to a total order.
struct BendField {
  int order = 0;                   ///< Highest order i + j of x^i y^j.
  std::vector<double> polynomial;  ///< Coefficients of x^i y^j: for j from `order` down, for i from
                                   ///< `order` - j down. Even j: of F_y; odd j: of F_x.
  double horizontal = 0.;          ///< Constant of F_x.
};

/// Returns the field of a sector magnet of curvature h, 1/m, with the multipoles b_n, 1/m^n, of
/// n = 1, 2, ... beside the dipole of strength 1: on the midplane
/// \f$F_y=A_1(x)=1+\sum b_nx^n/n!\f$, elsewhere
/// \f[ F_y=\sum_k A_{2k+1}\frac{y^{2k}}{(2k)!},\quad F_x=\sum_k A'_{2k+1}\frac{y^{2k+1}}{(2k+1)!},
///     \quad A_{k+2}=-\Bigl(A_k''+\frac h{1+hx}A_k'\Bigr), \f]
/// to a total order of i + j <= `order`.
BendField bend_field(double h, const std::vector<double>& multipoles, int order);

namespace detail {

/// Field of `BendField` at a place.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION FieldKick<Real> bend_field_at(const ScalarOf<Real>* polynomial,
                                                          int order, const Real& x, const Real& y) {
  Real even(0), odd(0);
  for (int j = order; j >= 0; --j) {
    Real row(0);
    for (int i = order - j; i >= 0; --i) row = fma(row, x, Real(*polynomial++));
    Real& sum = j % 2 == 0 ? even : odd;
    sum = fma(y, y * sum, row);
  }
  return {even, y * odd};
}

}  // namespace detail

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/steps/detail/bend_field.impl.hpp>
#endif
