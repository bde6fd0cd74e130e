// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/bend_field.hpp>
#include <trackplex/beam/steps/canonical_multipole.hpp>

#include <algorithm>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE BendField bend_field(double h, const std::vector<double>& multipoles, int order) {
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

}  // namespace trackplex::beam
