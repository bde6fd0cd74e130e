// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/matriplex/similarity.hpp>

#include "check_lanes.hpp"

namespace trackplex::test {
namespace {

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

}  // namespace trackplex::test
