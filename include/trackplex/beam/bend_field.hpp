// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/thick_multipole.hpp>

#include <algorithm>
#include <cmath>
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
inline BendField bend_field(double h, const std::vector<double>& multipoles, int order) {
  const bool is_dipole =
      std::all_of(multipoles.begin(), multipoles.end(), [](double b) { return b == 0.; });
  if (is_dipole) order = 0;
  const auto size = std::size_t(order) + 1;
  BendField field{order, {}, 0.};
  using Series = std::vector<double>;
  std::vector<Series> of_y(size, Series(size, 0.));  // [j][i]
  Series a(size + 2, 0.);
  a[0] = 1.;
  double factorial = 1.;
  for (std::size_t n = 1; n < size && n <= multipoles.size(); ++n)
    a[n] = multipoles[n - 1] / (factorial *= double(n));
  const auto derivative = [](const Series& f) {
    Series d(f.size(), 0.);
    for (std::size_t i = 1; i < f.size(); ++i) d[i - 1] = double(i) * f[i];
    return d;
  };
  double per_factorial = 1.;
  for (int j = 0; j <= order; j += 2) {
    const Series first = derivative(a), second = derivative(first);
    for (int i = 0; i + j <= order; ++i) of_y[j][i] = a[i] * per_factorial;
    for (int i = 0; i + j + 1 <= order; ++i) of_y[j + 1][i] = first[i] * per_factorial / (j + 1);
    per_factorial /= (j + 1) * (j + 2);
    for (std::size_t i = 0; i < a.size(); ++i) {
      double curved = 0.;  // h/(1 + h x) A', with 1/(1 + h x) = 1 - h x + (h x)^2 - ...
      for (std::size_t k = 0; k <= i; ++k) curved = fma(-h, curved, h * first[k]);
      a[i] = -(second[i] + curved);
    }
  }
  for (int j = order; j >= 0; --j)
    for (int i = order - j; i >= 0; --i) field.polynomial.push_back(of_y[j][i]);
  return field;
}

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
