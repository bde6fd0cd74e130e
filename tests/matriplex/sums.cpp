// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/similarity.hpp>

#include "check_lanes.hpp"

namespace trackplex::test {

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

  // ones by ones
  const auto a = random.matrix<Matrix<Real, 2, 3, Pattern<2, 3>("1 x 1", ". 1 x")>>();
  const auto b = random.matrix<Matrix<Real, 3, 2, Pattern<3, 2>("1 .", "x 1", "1 x")>>();
  const auto square = random.matrix<Matrix<Real, 2, 2>>();
  auto q = square;
  add_product(q, a, b);
  check_lanes(q, exact(square, a, b, 1), size(square, a, b), 3);
  q = square;
  subtract_product(q, a, b);
  check_lanes(q, exact(square, a, b, -1), size(square, a, b), 3);

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
