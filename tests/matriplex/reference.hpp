// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/matriplex/matrix.hpp>
#include <tuple>

namespace trackplex::test {

/// The number types that the algebra is tested with: scalars and default lanes in test_matriplex,
/// lanes of any width in test_matriplex_widths.
#if defined(TRACKPLEX_TEST_WIDTHS)
using NumberTypes =
    std::tuple<Lanes<float, 4>, Lanes<float, 8>, Lanes<float, 16>, Lanes<double, 4>>;
#else
template <class T>
using DefaultLanes = LanesOf<T, default_lane_width<HostExecutor, T>>;
using NumberTypes = std::tuple<float, double, DefaultLanes<float>, DefaultLanes<double>>;
#endif

/// A matrix for plain loops.
template <int R, int C>
struct Table {
  std::array<std::array<long double, C>, R> rows{};
  auto& operator[](int i) { return rows[std::size_t(i)]; }
  const auto& operator[](int i) const { return rows[std::size_t(i)]; }
};

/// One lane of all elements of an operand, known ones too.
template <MatrixOperand A>
auto table_of(const A& a, int lane = 0) {
  constexpr int rows = A::pattern.rows, columns = A::pattern.columns;
  Table<rows, columns> table;
  detail::for_each_free<Pattern<rows, columns>::dense()>(
      [&]<int I, int J>() { table[I][J] = extract(a.template get<I, J>(), lane); });
  return table;
}

template <int R, int C>
Table<C, R> transposed(const Table<R, C>& a) {
  Table<C, R> result;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) result[j][i] = a[i][j];
  return result;
}
template <int R, int C>
Table<R, C> sizes(Table<R, C> a) {
  for (auto& row : a.rows)
    for (auto& x : row) x = std::fabs(x);
  return a;
}
template <int R, int K, int C>
Table<R, C> operator*(const Table<R, K>& a, const Table<K, C>& b) {
  Table<R, C> result;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j)
      for (int k = 0; k < K; ++k) result[i][j] += a[i][k] * b[k][j];
  return result;
}
template <int R, int C>
Table<R, C> combined(Table<R, C> a, long double factor, const Table<R, C>& b) {
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) a[i][j] += factor * b[i][j];
  return a;
}

/// The largest |a - b| / size, in units of epsilon of T; zero sizes allow no difference.
template <class T, int R, int C>
double distance(const Table<R, C>& a, const Table<R, C>& b, const Table<R, C>& size) {
  long double largest = 0;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) {
      const long double difference = std::fabs(a[i][j] - b[i][j]);
      if (!(difference <= 0))
        largest = std::max(largest, difference / (size[i][j] * std::numeric_limits<T>::epsilon()));
    }
  return double(largest);
}

/// Numbers in [-1, 1), different in each lane.
class Random {
 public:
  template <class Real>
  Real number() {
    std::uniform_real_distribution<double> uniform(-1., 1.);
    Real x;
    for (int lane = 0; lane < width_of<Real>; ++lane)
      insert(x, lane, ScalarOf<Real>(uniform(engine_)));
    return x;
  }

  template <class M>
  M matrix() {
    M m;
    for (auto& x : m.elements) x = number<typename M::Real>();
    return m;
  }

  /// G Gᵀ + a small diagonal, symmetric and positive definite.
  template <class Real, int N>
  Symmetric<Real, N> positive() {
    const auto g = matrix<Matrix<Real, N, N>>();
    Symmetric<Real, N> result;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j) {
        Real sum = i == j ? Real(ScalarOf<Real>(0.1)) : Real(0);
        for (int k = 0; k < N; ++k) sum = fma(g(i, k), g(j, k), sum);
        result(i, j) = sum;
      }
    return result;
  }

 private:
  std::mt19937 engine_{20250101};
};

}  // namespace trackplex::test
