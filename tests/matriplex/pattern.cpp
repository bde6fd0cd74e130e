// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/pattern.hpp>

using namespace trackplex;

namespace {
constexpr Pattern<2, 3> upper("1 x .", ". 1 x");
}

TEST_CASE("a pattern is what its rows say", "[matriplex][pattern]") {
  STATIC_CHECK(upper(0, 0) == PatternElement::one);
  STATIC_CHECK(upper(0, 1) == PatternElement::free);
  STATIC_CHECK(upper(0, 2) == PatternElement::zero);
  STATIC_CHECK(upper(1, 0) == PatternElement::zero);
  STATIC_CHECK(upper(1, 2) == PatternElement::free);
  STATIC_CHECK(upper.free_elements() == 2);
  STATIC_CHECK(upper == Pattern<2, 3>("1x.", ".1x"));
  STATIC_CHECK(upper != Pattern<2, 3>("1x.", ".1."));
  STATIC_CHECK(Pattern<1, 2>("x .").free_elements() == 1);
  STATIC_CHECK(Pattern<2, 2>() == Pattern<2, 2>(". .", ". ."));
  STATIC_CHECK(Pattern<2, 2>::dense() == Pattern<2, 2>("x x", "x x"));
  STATIC_CHECK(Pattern<2, 2>::identity() == Pattern<2, 2>("1 .", ". 1"));
  STATIC_CHECK(Pattern<2, 2>::lower_triangle() == Pattern<2, 2>("x .", "x x"));
  STATIC_CHECK(Pattern<9, 9>::dense().free_elements() == 81);  // more than one word
  STATIC_CHECK(Pattern<9, 9>::identity()(8, 8) == PatternElement::one);
  STATIC_CHECK(Pattern<11, 11>::dense().free_elements() == 121);  // four words
  STATIC_CHECK(Pattern<11, 11>::identity()(10, 10) == PatternElement::one);
}

TEST_CASE("a symmetric pattern is its lower triangle", "[matriplex][pattern]") {
  constexpr SymmetricPattern<3> p("x", ". 1", "x . x");
  STATIC_CHECK(p(0, 2) == PatternElement::free);
  STATIC_CHECK(p(2, 0) == PatternElement::free);
  STATIC_CHECK(p(0, 1) == PatternElement::zero);
  STATIC_CHECK(p(1, 1) == PatternElement::one);
  STATIC_CHECK(p.free_elements() == 3);
  STATIC_CHECK(SymmetricPattern<3>::dense().free_elements() == 6);
  STATIC_CHECK(SymmetricPattern<2>::identity() == SymmetricPattern<2>("1", ". 1"));
  STATIC_CHECK(lower_triangle(Pattern<2, 2>("x 1", ". x")) == SymmetricPattern<2>("x", ". x"));
}

TEST_CASE("patterns of results", "[matriplex][pattern]") {
  STATIC_CHECK(transposed(upper) == Pattern<3, 2>("1 .", "x 1", ". x"));
  STATIC_CHECK(product(upper, transposed(upper)) == Pattern<2, 2>("x x", "x x"));
  STATIC_CHECK(product(Pattern<2, 2>("1 .", ". x"), Pattern<2, 2>("1 x", ". 1")) ==
               Pattern<2, 2>("1 x", ". x"));
  // two is neither zero nor one
  STATIC_CHECK(product(Pattern<1, 2>("1 1"), Pattern<2, 1>("1", "1")) == Pattern<1, 1>("x"));
  STATIC_CHECK(sum(Pattern<1, 4>(". 1 x 1"), Pattern<1, 4>("x . . 1")) == Pattern<1, 4>("x 1 x x"));
  STATIC_CHECK(difference(Pattern<1, 4>(". 1 x 1"), Pattern<1, 4>("1 . x 1")) ==
               Pattern<1, 4>("x 1 x ."));
  STATIC_CHECK(sum(SymmetricPattern<2>("1", ". x"), SymmetricPattern<2>(".", "x .")) ==
               SymmetricPattern<2>("1", "x x"));
  STATIC_CHECK(sum(SymmetricPattern<2>("1", ". x"), Pattern<2, 2>(". x", ". .")) ==
               Pattern<2, 2>("1 x", ". x"));
  // a row of zeros in J is one in J P Jᵀ; unit rows keep what is known of P
  STATIC_CHECK(similarity(Pattern<3, 3>("1 . .", ". . .", "x . x"),
                          SymmetricPattern<3>("1", "x x", ". x x")) ==
               SymmetricPattern<3>("1", ". .", "x . x"));
}
