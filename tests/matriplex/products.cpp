// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/similarity.hpp>

#include "reference.hpp"

// Every operation against plain loops in long double, lane by lane, in units of epsilon of the sum
// of the sizes of the terms.

namespace trackplex::test {
namespace {

constexpr Pattern<6, 6> helix("x x . x x .", "x x . x x .", "x x 1 x x x", ". . . 1 . .",
                              "x x . x x .", ". . . . . 1");
constexpr SymmetricPattern<6> block("x", "x 1", ". . x", "x . . x", ". . . . 1", "x x . x . x");
constexpr Pattern<6, 6> mixed("1 . x . 1 .", ". x . . x .", "x . 1 x . x", ". . . . . .",
                              "1 1 1 . . x", "x 1 . x . 1");

/// result against what the loops give, in every lane.
template <class A, class Exact, class Size>
void check_lanes(const A& result, const Exact& exact, const Size& size, double limit) {
  using Real = typename A::Real;
  for (int lane = 0; lane < width_of<Real>; ++lane)
    CHECK(distance<ScalarOf<Real>>(table_of(result, lane), exact(lane), size(lane)) <= limit);
}

template <class A, class B>
void check_product(const A& a, const B& b) {
  const auto exact = [&](int lane) { return table_of(a, lane) * table_of(b, lane); };
  const auto size = [&](int lane) { return sizes(table_of(a, lane)) * sizes(table_of(b, lane)); };
  check_lanes(a * b, exact, size, 3);
}

template <class J, class P>
void check_similarity(const J& j, const P& p) {
  const auto exact = [&](int lane) {
    const auto table = table_of(j, lane);
    return table * table_of(p, lane) * transposed(table);
  };
  const auto size = [&](int lane) {
    const auto table = sizes(table_of(j, lane));
    return table * sizes(table_of(p, lane)) * transposed(table);
  };
  check_lanes(similarity(j, p), exact, size, 6);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("products", "[matriplex][products]", NumberTypes) {
  using Real = TestType;
  Random random;
  const auto a = random.matrix<Matrix<Real, 6, 6>>();
  const auto b = random.matrix<Matrix<Real, 6, 6>>();
  const auto h = random.matrix<Matrix<Real, 6, 6, helix>>();
  const auto m = random.matrix<Matrix<Real, 6, 6, mixed>>();
  const auto s = random.matrix<Symmetric<Real, 6>>();
  const auto p = random.matrix<Symmetric<Real, 6, block>>();
  const auto c = random.matrix<Matrix<Real, 2, 6>>();
  const auto v = random.matrix<Vector<Real, 6>>();
  check_product(a, b);
  check_product(s, random.matrix<Symmetric<Real, 6>>());
  check_product(h, s);
  check_product(h, m);
  check_product(m, p);
  check_product(p, m);
  check_product(c, m);
  check_product(m, v);
  check_product(a, transposed(b));
  check_product(transposed(m), h);
  check_product(transposed(v), v);
  check_product(v, transposed(c * v));
}

TEMPLATE_LIST_TEST_CASE("symmetric products", "[matriplex][products]", NumberTypes) {
  using Real = TestType;
  Random random;
  const auto m = random.matrix<Matrix<Real, 6, 6, mixed>>();
  const auto product = symmetric_product(m, transposed(m));
  STATIC_CHECK(SymmetricOperand<decltype(product)>);
  for (int lane = 0; lane < width_of<Real>; ++lane)
    CHECK(table_of(product, lane).rows == table_of(m * transposed(m), lane).rows);
}

TEMPLATE_LIST_TEST_CASE("similarities", "[matriplex][products]", NumberTypes) {
  using Real = TestType;
  Random random;
  const auto a = random.matrix<Matrix<Real, 6, 6>>();
  const auto h = random.matrix<Matrix<Real, 6, 6, helix>>();
  const auto m = random.matrix<Matrix<Real, 6, 6, mixed>>();
  const auto c = random.matrix<Matrix<Real, 2, 6>>();
  const auto s = random.positive<Real, 6>();
  const auto p = random.matrix<Symmetric<Real, 6, block>>();
  check_similarity(a, s);
  check_similarity(h, s);
  check_similarity(h, p);
  check_similarity(m, s);
  check_similarity(m, p);
  check_similarity(c, s);
  check_similarity(transposed(m), p);
  check_similarity(transposed(c), random.positive<Real, 2>());
}

TEMPLATE_LIST_TEST_CASE("products added and subtracted", "[matriplex][products]", NumberTypes) {
  using Real = TestType;
  Random random;
  const auto k = random.matrix<Matrix<Real, 6, 2>>();
  const auto g = random.matrix<Matrix<Real, 2, 6, Pattern<2, 6>("x 1 . x . 1", "1 1 x . x x")>>();
  const auto v = random.matrix<Symmetric<Real, 2, SymmetricPattern<2>("x", "1 x")>>();
  const auto start = random.matrix<Matrix<Real, 6, 6>>();
  const auto covariance = random.positive<Real, 6>();
  const auto exact = [&](const auto& c, const auto& a, const auto& b, long double sign) {
    return [&, sign](int lane) {
      return combined(table_of(c, lane), sign, table_of(a, lane) * table_of(b, lane));
    };
  };
  const auto size = [&](const auto& c, const auto& a, const auto& b) {
    return [&](int lane) {
      return combined(sizes(table_of(c, lane)), 1,
                      sizes(table_of(a, lane)) * sizes(table_of(b, lane)));
    };
  };

  auto m = start;
  add_product(m, k, g);
  check_lanes(m, exact(start, k, g, 1), size(start, k, g), 3);
  m = start;
  subtract_product(m, k, g);
  check_lanes(m, exact(start, k, g, -1), size(start, k, g), 3);

  // rank-2 update of a symmetric matrix
  auto p = covariance;
  subtract_product(p, k, transposed(k));
  check_lanes(p, exact(covariance, k, transposed(k), -1), size(covariance, k, transposed(k)), 3);

  p = covariance;
  add_similarity(p, transposed(g), v);
  const auto gv = transposed(g) * v;
  check_lanes(p, exact(covariance, gv, g, 1), size(covariance, gv, g), 6);

  // an element that does not change need not be free
  auto corner = Symmetric<Real, 2, SymmetricPattern<2>("1", ". x")>{Real(3)};
  const auto e = random.matrix<Matrix<Real, 2, 1, Pattern<2, 1>(".", "x")>>();
  add_product(corner, e, transposed(e));
  CHECK(extract(corner.template get<0, 0>(), 0) == 1);
  CHECK(extract(corner.template get<1, 1>(), 0) > 3);
}

TEMPLATE_LIST_TEST_CASE("sums, differences and multiples", "[matriplex][products]", NumberTypes) {
  using Real = TestType;
  Random random;
  const auto a = random.matrix<Matrix<Real, 6, 6, helix>>();
  const auto b = random.matrix<Matrix<Real, 6, 6, mixed>>();
  const auto s = random.matrix<Symmetric<Real, 6, block>>();
  const auto q = random.matrix<Symmetric<Real, 6>>();
  const auto factor = random.number<Real>();
  STATIC_CHECK(SymmetricOperand<decltype(s + q)>);
  STATIC_CHECK(!SymmetricOperand<decltype(s + a)>);
  const auto check = [&](const auto& x, const auto& y) {
    for (const long double sign : {1, -1}) {
      const auto exact = [&](int lane) {
        return combined(table_of(x, lane), sign, table_of(y, lane));
      };
      if (sign > 0)
        check_lanes(x + y, exact, exact, 1);
      else
        check_lanes(x - y, exact, exact, 1);
    }
  };
  check(a, b);
  check(b, a);
  check(s, q);
  check(q, s);
  check(s, a);
  const auto exact = [&](int lane) {
    return combined(Table<6, 6>{}, extract(factor, lane), table_of(b, lane));
  };
  check_lanes(factor * b, exact, exact, 1);
}

}  // namespace trackplex::test
