// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <type_traits>

#include "reference.hpp"

using namespace trackplex;

namespace {
constexpr Pattern<2, 3> upper("1 x .", ". 1 x");
}

TEMPLATE_LIST_TEST_CASE("a matrix stores its free elements", "[matriplex][matrix]",
                        test::NumberTypes) {
  using Real = TestType;
  using Upper = Matrix<Real, 2, 3, upper>;
  STATIC_CHECK(sizeof(Upper) == 2 * sizeof(Real));
  STATIC_CHECK(sizeof(Symmetric<Real, 6>) == 21 * sizeof(Real));
  STATIC_CHECK(sizeof(Matrix<Real, 3, 3, Pattern<3, 3>::identity()>) == sizeof(Real));
  STATIC_CHECK(std::is_trivially_copyable_v<Upper>);

  Upper m{Real(5), Real(6)};
  const auto table = test::table_of(m);
  CHECK(table.rows ==
        std::array{std::array<long double, 3>{1, 5, 0}, std::array<long double, 3>{0, 1, 6}});
  m.template set<0, 1>(Real(7));
  CHECK(extract(m.template get<0, 1>(), width_of<Real> - 1) == 7);
  CHECK(extract(m.elements[0], 0) == 7);
}

TEST_CASE("elements of dense matrices by index", "[matriplex][matrix]") {
  Matrix<float, 2, 3> m{1, 2, 3, 4, 5, 6};
  CHECK(m(1, 0) == 4);
  CHECK(m.get<1, 0>() == 4);
  m(0, 2) = 9;
  CHECK(m.elements[2] == 9);

  const Symmetric<double, 3> s{1, 2, 3, 4, 5, 6};
  CHECK(s(2, 1) == 5);
  CHECK(s(1, 2) == 5);
  CHECK(s.get<0, 2>() == 4);

  const Vector<float, 2> v{3, 4};
  CHECK(v(1) == 4);
  CHECK(v.get<1>() == 4);
}

TEST_CASE("a matrix changes its pattern", "[matriplex][matrix]") {
  const Matrix<float, 2, 3, upper> m{5, 6};
  const auto dense = as<Matrix<float, 2, 3>>(m);
  CHECK(test::table_of(dense).rows == test::table_of(m).rows);
  const auto partly = as<Matrix<float, 2, 3, Pattern<2, 3>("x x .", "x 1 x")>>(m);
  CHECK(test::table_of(partly).rows == test::table_of(m).rows);

  const Symmetric<float, 2, SymmetricPattern<2>("1", "x .")> s{3};
  CHECK(test::table_of(as<Symmetric<float, 2>>(s)).rows == test::table_of(s).rows);
  CHECK(test::table_of(as<Matrix<float, 2, 2>>(s)).rows == test::table_of(s).rows);

  STATIC_CHECK(detail::can_hold(upper, upper));
  STATIC_CHECK_FALSE(detail::can_hold(upper, Pattern<2, 3>::dense()));
  STATIC_CHECK_FALSE(detail::can_hold(SymmetricPattern<2>::dense(), Pattern<2, 2>::dense()));
  STATIC_CHECK_FALSE(detail::can_hold(Pattern<3, 2>::dense(), Pattern<2, 3>::dense()));
}

TEST_CASE("a transposed matrix is the same elements", "[matriplex][matrix]") {
  const Matrix<float, 2, 3, upper> m{5, 6};
  STATIC_CHECK(decltype(transposed(m))::pattern == transposed(upper));
  CHECK(test::table_of(transposed(m)).rows == test::transposed(test::table_of(m)).rows);
}

TEMPLATE_LIST_TEST_CASE("elements are assigned where a mask is set", "[matriplex][matrix]",
                        test::NumberTypes) {
  using Real = TestType;
  const Vector<Real, 2> from{Real(1), Real(2)};
  Vector<Real, 2> to{Real(3), Real(4)};
  assign_where(lane_index<Real>() > Real(0), from, to);
  for (int lane = 0; lane < width_of<Real>; ++lane) {
    CHECK(extract(to(0), lane) == (lane > 0 ? 1 : 3));
    CHECK(extract(to(1), lane) == (lane > 0 ? 2 : 4));
  }
}
