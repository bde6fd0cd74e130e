// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/beam/maps/polynomial.hpp>

#include <array>
#include <cmath>

namespace trackplex::beam {

TRACKPLEX_INLINE Polynomial Polynomial::variable(int i) {
  Polynomial p;
  p.r[i] = 1.;
  return p;
}

TRACKPLEX_INLINE Polynomial& Polynomial::add(double factor, const Polynomial& other) {
  c += factor * other.c;
  for (int i = 0; i < n_coordinates; ++i) r[i] += factor * other.r[i];
  for (int i = 0; i < n_pairs; ++i) t[i] += factor * other.t[i];
  for (int i = 0; i < n_triples; ++i) q[i] += factor * other.q[i];
  return *this;
}

TRACKPLEX_INLINE double Polynomial::operator()(const std::array<double, n_coordinates>& v) const {
  double sum = c;
  for (int j = n_coordinates - 1; j >= 0; --j) {
    double factor = r[j];
    for (int k = j; k >= 0; --k) {
      double inner = t[pair_index(j, k)];
      for (int l = k; l >= 0; --l) inner += q[triple_index(j, k, l)] * v[l];
      factor += inner * v[k];
    }
    sum += factor * v[j];
  }
  return sum;
}

TRACKPLEX_INLINE Polynomial product(const Polynomial& a, const Polynomial& b, int order) {
  Polynomial p;
  p.add(a.c, b);
  Polynomial rest = a;  // its constant is in there already
  rest.c = 0.;
  p.add(b.c, rest);
  if (order < 2) {
    p.t.fill(0.);
    p.q.fill(0.);
    return p;
  }
  for (int j = 0; j < n_coordinates; ++j)
    for (int k = 0; k < n_coordinates; ++k) p.t[pair_index(j, k)] += a.r[j] * b.r[k];
  if (order < 3) {
    p.q.fill(0.);
    return p;
  }
  for (int j = 0; j < n_coordinates; ++j)
    for (int k = 0; k < n_coordinates; ++k)
      for (int l = 0; l <= k; ++l)
        p.q[triple_index(j, k, l)] +=
            a.r[j] * b.t[pair_index(k, l)] + b.r[j] * a.t[pair_index(k, l)];
  return p;
}

TRACKPLEX_INLINE Polynomial power(const Polynomial& p, double exponent, int order) {
  Polynomial u;  // p = p.c (1 + u)
  u.add(1. / p.c, p);
  u.c = 0.;
  const Polynomial u2 = product(u, u, order);
  Polynomial sum;
  sum.c = 1.;
  sum.add(exponent, u);
  sum.add(0.5 * exponent * (exponent - 1.), u2);
  sum.add(exponent * (exponent - 1.) * (exponent - 2.) / 6., product(u2, u, order));
  double of_constant = 1.;  // from operations with one correct result, unlike std::pow
  for (double rest = std::abs(exponent); rest > 0.; rest -= 1.)
    of_constant *= rest < 1. ? std::sqrt(p.c) : p.c;
  Polynomial scaled;
  scaled.add(exponent < 0. ? 1. / of_constant : of_constant, sum);
  return scaled;
}

}  // namespace trackplex::beam
