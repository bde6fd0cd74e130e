// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hashes of the complete output of the algebra on generated matrices. Their elements come from
// core's random numbers, so that no library function decides about them.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/matriplex/cholesky.hpp>
#include <trackplex/matriplex/inverse.hpp>
#include <trackplex/matriplex/matriplex.hpp>
#include <trackplex/matriplex/similarity.hpp>

#include "golden_hashes.hpp"
#include "support/lane_widths.hpp"
#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

constexpr int n_matrices = 3001;

constexpr Pattern<6, 6> helix("x x . x x .", "x x . x x .", "x x 1 x x x", ". . . 1 . .",
                              "x x . x x .", ". . . . . 1");

template <class T, class Space>
struct Results {
  Matriplex<T, 6, 6, MemoryOf<Space>> product;
  SymMatriplex<T, 6, MemoryOf<Space>> similarity, updated, inverse;
  SymMatriplex<T, 3, MemoryOf<Space>> small_inverse;
  Matriplex<T, 6, 1, MemoryOf<Space>> solution;

  explicit Results(const Space& exec)
      : product(exec, n_matrices),
        similarity(exec, n_matrices),
        updated(exec, n_matrices),
        inverse(exec, n_matrices),
        small_inverse(exec, n_matrices),
        solution(exec, n_matrices) {}
};

/// A Jacobian, a covariance and a gain from the lane's own stream, and what the algebra makes of
/// them.
template <class Real, class Space>
struct Algebra {
  using T = ScalarOf<Real>;
  typename Matriplex<T, 6, 6, MemoryOf<Space>>::View product;
  typename SymMatriplex<T, 6, MemoryOf<Space>>::View similarity, updated, inverse;
  typename SymMatriplex<T, 3, MemoryOf<Space>>::View small_inverse;
  typename Matriplex<T, 6, 1, MemoryOf<Space>>::View solution;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    using Stream = typename RandomStream<Real>::StreamNumber;
    RandomStream<Real> random(2025, lane_index<Stream>() + Stream(unsigned(tile.first)), 6);
    const auto fill = [&](auto& m) {
      for (auto& x : m.elements) x = random.uniform(Real(-1), Real(1));
    };
    Matrix<Real, 6, 6> a;
    Matrix<Real, 6, 6, helix> j;
    Matrix<Real, 6, 2> gain;
    fill(a);
    fill(j);
    fill(gain);
    const auto p = symmetric_product(a, transposed(a));
    product.store(tile, a * j);
    similarity.store(tile, trackplex::similarity(j, p));

    auto less = p;
    subtract_product(less, gain, transposed(gain));  // often not positive definite any more
    updated.store(tile, less);
    const Cholesky<Real, 6> cholesky(less);
    Symmetric<Real, 6> less_inverse = p;
    Vector<Real, 6> x = as<Vector<Real, 6>>(j * column(a));
    const auto has_inverse = cholesky.invert(less_inverse);
    const auto solved = cholesky.solve(column(a), x);
    inverse.store(tile, less_inverse);

    Symmetric<Real, 3> corner{p.template get<0, 0>(), p.template get<1, 0>(),
                              p.template get<1, 1>(), p.template get<2, 0>(),
                              p.template get<2, 1>(), p.template get<2, 2>()};
    const auto has_small_inverse = invert(corner, corner);
    small_inverse.store(tile, corner);
    const auto worked = has_inverse && solved && has_small_inverse;
    x.template set<0>(select(worked, x.template get<0>(), Real(0)));
    solution.store(tile, x);
  }

  KOKKOS_FUNCTION static Vector<Real, 6> column(const Matrix<Real, 6, 6>& a) {
    return as<Vector<Real, 6>>(a *
                               Matrix<Real, 6, 1, Pattern<6, 1>("1", ".", ".", ".", ".", ".")>{});
  }
};

template <class Space, class Matrices>
void add(Fingerprint& hash, const Space& exec, const Matrices& matrices) {
  auto host = host_mirror(matrices);
  deep_copy(exec, host, matrices);
  exec.fence();
  const auto view = host.view();
  for (int n = 0; n < view.size(); ++n)
    for (int e = 0; e < view.elements; ++e) hash.add(view.element(n, e));
}

template <class Real, class Space>
std::string algebra_hash() {
  using T = ScalarOf<Real>;
  const Space exec;
  Results<T, Space> r(exec);
  for_each_tile<Real>(
      exec, "Trackplex::Test::algebra", n_matrices,
      Algebra<Real, Space>{r.product.view(), r.similarity.view(), r.updated.view(),
                           r.inverse.view(), r.small_inverse.view(), r.solution.view()});
  Fingerprint hash;
  add(hash, exec, r.product);
  add(hash, exec, r.similarity);
  add(hash, exec, r.updated);
  add(hash, exec, r.inverse);
  add(hash, exec, r.small_inverse);
  add(hash, exec, r.solution);
  return hash.hex();
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Matrix algebra is the same everywhere", "[reproducibility]",
                        EnabledSpaces) {
  for_each_width<TestType>([]<int Width>() {
    CAPTURE(Width);
    CHECK(algebra_hash<LanesOf<float, Width>, TestType>() ==
          matrix_algebra_golden.single_precision);
    CHECK(algebra_hash<LanesOf<double, Width>, TestType>() ==
          matrix_algebra_golden.double_precision);
  });
}

}  // namespace trackplex::test
