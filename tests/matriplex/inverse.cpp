// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/inverse.hpp>

#include "reference.hpp"

namespace trackplex::test {
namespace {

template <int N>
long double determinant_of(const Table<N, N>& a) {
  if constexpr (N == 1) return a[0][0];
  if constexpr (N == 2) return a[0][0] * a[1][1] - a[0][1] * a[1][0];
  long double sum = 0;
  if constexpr (N == 3)
    for (int k = 0; k < 3; ++k) {
      const int l = (k + 1) % 3, m = (k + 2) % 3;
      sum += a[0][k] * (a[1][l] * a[2][m] - a[1][m] * a[2][l]);
    }
  return sum;
}

/// A A⁻¹ is the identity, to the precision that the sizes of its terms allow.
template <class A, class Inverse>
void check_inverse(const A& a, const Inverse& inverse, double limit) {
  using T = ScalarOf<typename A::Real>;
  constexpr int n = A::pattern.rows;
  Table<n, n> identity;
  for (int i = 0; i < n; ++i) identity[i][i] = 1;
  for (int lane = 0; lane < width_of<typename A::Real>; ++lane) {
    const auto x = table_of(a, lane), y = table_of(inverse, lane);
    CHECK(distance<T>(x * y, identity, sizes(x) * sizes(y)) <= limit);
  }
}

template <class M>
void check_random_inverses(double limit) {
  using Real = typename M::Real;
  using T = ScalarOf<Real>;
  Random random;
  for (int repetition = 0; repetition < 50; ++repetition) {
    const auto a = random.matrix<M>();
    M inverse{};
    REQUIRE(all_of(invert(a, inverse)));
    // relative precision of the determinant is that of the inverse
    const auto d = determinant(a);
    double lost = 1;
    for (int lane = 0; lane < width_of<Real>; ++lane) {
      const auto exact = determinant_of(table_of(a, lane));
      const auto error = std::fabs((extract(d, lane) - exact) / exact);
      lost = std::max(lost, double(error / std::numeric_limits<T>::epsilon()));
    }
    if (M::rows <= 2) CHECK(lost <= 1);
    check_inverse(a, inverse, limit + lost);

    M same = a;  // in place
    REQUIRE(all_of(invert(same, same)));
    for (int lane = 0; lane < width_of<Real>; ++lane)
      CHECK(table_of(same, lane).rows == table_of(inverse, lane).rows);
  }
}

/// A matrix whose lane 0 alone is `a`, the others the identity.
template <class M>
M in_lane_0(const M& identity, const M& a) {
  M result = identity;
  for (int e = 0; e < M::size; ++e) insert(result.elements[e], 0, extract(a.elements[e], 0));
  return result;
}

template <class M>
M identity_matrix() {
  M m{};
  for (int i = 0; i < M::rows; ++i) m(i, i) = typename M::Real(1);
  return m;
}

/// Lane 0 cannot be inverted and keeps its output; the others can.
template <class M>
void check_refused(const M& a) {
  using Real = typename M::Real;
  const auto in = in_lane_0(identity_matrix<M>(), a);
  M out;
  for (auto& x : out.elements) x = Real(77);
  const auto worked = invert(in, out);
  CHECK(bits_of(worked) == (1u << width_of<Real>)-2);
  for (int lane = 0; lane < width_of<Real>; ++lane)
    for (const auto& x : out.elements) CHECK((extract(x, lane) == 77) == (lane == 0));
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("inverses in closed form", "[matriplex][inverse]", NumberTypes) {
  using Real = TestType;
  check_random_inverses<Symmetric<Real, 1>>(2);
  check_random_inverses<Symmetric<Real, 2>>(4);
  check_random_inverses<Symmetric<Real, 3>>(6);
  check_random_inverses<Matrix<Real, 1, 1>>(2);
  check_random_inverses<Matrix<Real, 2, 2>>(4);
  check_random_inverses<Matrix<Real, 3, 3>>(6);
}

TEMPLATE_LIST_TEST_CASE("matrices without an inverse", "[matriplex][inverse]", NumberTypes) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  const T third = T(1) / T(3), seventh = T(1) / T(7);
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T tiny = std::numeric_limits<T>::min() / 4, huge = std::numeric_limits<T>::max();
  for (const T bad : {T(0), tiny, infinity, nan}) {
    check_refused(Symmetric<Real, 1>{Real(bad)});
    check_refused(Symmetric<Real, 2>{Real(bad), Real(0), Real(1)});
    check_refused(Symmetric<Real, 3>{Real(1), Real(0), Real(1), Real(0), Real(0), Real(bad)});
  }
  check_refused(Symmetric<Real, 2>{Real(huge), Real(0), Real(huge)});
  // products that are not exact
  check_refused(Symmetric<Real, 2>{Real(third), Real(third), Real(third)});
  check_refused(Matrix<Real, 2, 2>{Real(third), Real(seventh), Real(2 * third), Real(2 * seventh)});
  Random random;
  for (int repetition = 0; repetition < 100; ++repetition) {
    auto m = random.matrix<Matrix<Real, 3, 3>>();  // row 2 = 2 row 0, exactly
    for (int j = 0; j < 3; ++j) m(2, j) = Real(2) * m(0, j);
    check_refused(m);
    const auto v = random.matrix<Vector<Real, 3>>();  // rank 1 up to the rounding of products
    const Real x = v(0), y = Real(2) * v(0), z = Real(4) * v(0);
    check_refused(Symmetric<Real, 3>{x, y, Real(2) * y, z, Real(2) * z, Real(4) * z});
  }
}

TEMPLATE_LIST_TEST_CASE("determinants of nearly singular matrices keep their digits",
                        "[matriplex][inverse]", NumberTypes) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  const T e = std::numeric_limits<T>::epsilon();
  // (1 + e)(1 - e) - 1 = -e²
  const Symmetric<Real, 2> a{Real(1 + e), Real(1), Real(1 - e)};
  CHECK(extract(determinant(a), 0) == -e * e);
  Symmetric<Real, 2> inverse{};
  CHECK(all_of(invert(a, inverse)));
  CHECK(extract(inverse.template get<1, 0>(), 0) == 1 / (e * e));
}

}  // namespace trackplex::test
