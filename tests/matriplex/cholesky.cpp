// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/cholesky.hpp>

#include "reference.hpp"

namespace trackplex::test {
namespace {

template <class Real, int N>
void check_size() {
  using T = ScalarOf<Real>;
  Random random;
  for (int repetition = 0; repetition < 20; ++repetition) {
    const auto a = random.positive<Real, N>();
    const auto b = random.matrix<Vector<Real, N>>();
    const Cholesky<Real, N> cholesky(a);
    REQUIRE(all_of(cholesky.worked()));
    Vector<Real, N> x{};
    Symmetric<Real, N> inverse{};
    CHECK(all_of(cholesky.solve(b, x)));
    CHECK(all_of(cholesky.invert(inverse)));
    for (int lane = 0; lane < width_of<Real>; ++lane) {
      CAPTURE(N, lane);
      const auto l = table_of(cholesky.factor(), lane), exact = table_of(a, lane);
      const auto lt = transposed(l);
      // element (i, j) within a few epsilon of the sizes of its terms
      CHECK(distance<T>(l * lt, exact, sizes(l) * sizes(lt)) <= N + 1);
      // backward errors: of the equations, in units of what their terms allow
      const auto solution = table_of(x, lane);
      CHECK(distance<T>(exact * solution, table_of(b, lane),
                        sizes(l) * sizes(lt) * sizes(solution)) <= 3 * N + 1);
      Table<N, N> identity;
      for (int i = 0; i < N; ++i) identity[i][i] = 1;
      const auto y = table_of(inverse, lane);
      // |A| |A⁻¹| |A| |A⁻¹| bounds the error of A A⁻¹
      const auto size = sizes(exact) * sizes(y);
      CHECK(distance<T>(exact * y, identity, size * size) <= 3 * N + 1);
    }
  }
}

/// Lane 0 fails, the others hold the identity.
template <class Real, int N>
void check_refused(const Symmetric<Real, N>& a) {
  Symmetric<Real, N> in{};
  for (int i = 0; i < N; ++i) in(i, i) = Real(1);
  for (int e = 0; e < in.size; ++e) insert(in.elements[e], 0, extract(a.elements[e], 0));
  const Cholesky<Real, N> cholesky(in);
  const unsigned expected = (1u << width_of<Real>)-2;
  Vector<Real, N> b, x;
  Symmetric<Real, N> inverse;
  for (auto& value : b.elements) value = Real(1);
  for (auto& value : x.elements) value = Real(77);
  for (auto& value : inverse.elements) value = Real(77);
  CHECK(bits_of(cholesky.worked()) == expected);
  CHECK(bits_of(cholesky.solve(b, x)) == expected);
  CHECK(bits_of(cholesky.invert(inverse)) == expected);
  for (int lane = 0; lane < width_of<Real>; ++lane) {
    for (const auto& value : x.elements) CHECK(extract(value, lane) == (lane == 0 ? 77 : 1));
    for (const auto& value : inverse.elements) CHECK((extract(value, lane) == 77) == (lane == 0));
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Cholesky factors, solutions and inverses", "[matriplex][cholesky]",
                        NumberTypes) {
  check_size<TestType, 1>();
  check_size<TestType, 2>();
  check_size<TestType, 3>();
  check_size<TestType, 4>();
  check_size<TestType, 5>();
  check_size<TestType, 6>();
}

TEMPLATE_LIST_TEST_CASE("matrices that are not positive definite", "[matriplex][cholesky]",
                        NumberTypes) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  const T third = T(1) / T(3);
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (const T bad : {T(0), T(-1), infinity, nan}) {
    check_refused(Symmetric<Real, 1>{Real(bad)});
    check_refused(Symmetric<Real, 2>{Real(1), Real(0), Real(bad)});
    check_refused(Symmetric<Real, 3>{Real(bad), Real(0), Real(1), Real(0), Real(0), Real(1)});
  }
  check_refused(Symmetric<Real, 2>{Real(1), Real(nan), Real(1)});
  check_refused(Symmetric<Real, 2>{Real(1), Real(infinity), Real(1)});
  check_refused(Symmetric<Real, 2>{Real(third), Real(third), Real(third)});
  check_refused(Symmetric<Real, 2>{Real(1), Real(2), Real(1)});

  // Rank 2, up to the rounding of its elements: where that hides it, elements of the inverse are
  // enormous.
  Random random;
  int refused = 0;
  for (int repetition = 0; repetition < 100; ++repetition) {
    const auto u = random.matrix<Vector<Real, 4>>(), v = random.matrix<Vector<Real, 4>>();
    Symmetric<Real, 4> a;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j) a(i, j) = fma(u(i), u(j), v(i) * v(j));
    Symmetric<Real, 4> inverse{};
    const unsigned worked = bits_of(Cholesky<Real, 4>(a).invert(inverse));
    for (int lane = 0; lane < width_of<Real>; ++lane) {
      CAPTURE(repetition, lane);
      if (worked >> lane & 1u)
        CHECK(extract(abs(inverse(3, 3)), lane) * std::numeric_limits<T>::epsilon() > T(1e-3));
      else
        ++refused;
    }
    for (int i = 0; i < 4; ++i) a(i, i) += Real(1);
    CHECK(all_of(Cholesky<Real, 4>(a).worked()));
  }
  CHECK(refused >= 95 * width_of<Real>);
}

TEMPLATE_LIST_TEST_CASE("a pivot counts as positive from N epsilon of its diagonal on",
                        "[matriplex][cholesky]", NumberTypes) {
  using Real = TestType;
  using T = ScalarOf<Real>;
  for (int n = 0; n <= 5; ++n) {
    CAPTURE(n);
    const T diagonal = T(1) + T(n) * std::numeric_limits<T>::epsilon();
    const Cholesky<Real, 2> cholesky(Symmetric<Real, 2>{Real(1), Real(1), Real(diagonal)});
    CHECK(all_of(cholesky.worked()) == (n > 2));
    CHECK(any_of(cholesky.worked()) == (n > 2));
  }
}

}  // namespace trackplex::test
