// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/pattern.hpp>

#include "reference.hpp"

namespace trackplex::test {

inline constexpr Pattern<6, 6> helix("x x . x x .", "x x . x x .", "x x 1 x x x", ". . . 1 . .",
                                     "x x . x x .", ". . . . . 1");
inline constexpr SymmetricPattern<6> block("x", "x 1", ". . x", "x . . x", ". . . . 1",
                                           "x x . x . x");
inline constexpr Pattern<6, 6> mixed("1 . x . 1 .", ". x . . x .", "x . 1 x . x", ". . . . . .",
                                     "1 1 1 . . x", "x 1 . x . 1");

/// Checks a result against what plain loops give in long double, in every lane, in units of epsilon
/// of the sum of the sizes of the terms.
template <class A, class Exact, class Size>
void check_lanes(const A& result, const Exact& exact, const Size& size, double limit) {
  using Real = typename A::Real;
  for (int lane = 0; lane < width_of<Real>; ++lane)
    CHECK(distance<ScalarOf<Real>>(table_of(result, lane), exact(lane), size(lane)) <= limit);
}

}  // namespace trackplex::test
