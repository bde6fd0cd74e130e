// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled at -O3, where compilers are tempted most.
#include <array>
#include <catch2/catch_template_test_macros.hpp>

namespace {

template <class T>
using Complex = std::array<T, 2>;

/// The product of two complex numbers, as compilers see it.
template <class T>
[[gnu::noinline]] Complex<T> product(const Complex<T>& a, const Complex<T>& b) {
  return {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]};
}
template <class T>
[[gnu::noinline]] T difference_of_squares(T x, T y) {
  x *= x;
  y *= y;
  return x - y;
}
/// a b, rounded.
template <class T>
T rounded_product(T a, T b) {
  const volatile T result = a * b;
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("The compiler contracts no products and sums", "[core]", float, double) {
  using T = TestType;
  const T third = T(1) / T(3), seventh = T(1) / T(7);
  CHECK(difference_of_squares(third, third) == T(0));
  for (int i = 1; i < 20; ++i) {
    const Complex<T> a{third * T(i), seventh}, b{seventh, third / T(i)};
    const Complex<T> expected{rounded_product(a[0], b[0]) - rounded_product(a[1], b[1]),
                              rounded_product(a[0], b[1]) + rounded_product(a[1], b[0])};
    CHECK(product(a, b) == expected);
  }
}
