// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/matrix_products.hpp>

#include "check_lanes.hpp"

namespace trackplex::test {
namespace {

template <class A, class B>
void check_product(const A& a, const B& b) {
  const auto exact = [&](int lane) { return table_of(a, lane) * table_of(b, lane); };
  const auto size = [&](int lane) { return sizes(table_of(a, lane)) * sizes(table_of(b, lane)); };
  check_lanes(a * b, exact, size, 3);
  check_lanes(deferred_product(a, b), exact, size, 3);
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

}  // namespace trackplex::test
