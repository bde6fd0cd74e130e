// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/matriplex/matriplex.hpp>
#include <trackplex/matriplex/matrix_products.hpp>

#include "support/spaces.hpp"

namespace trackplex::test {
namespace {

/// Element (i, j) of matrix n, the same for (j, i).
constexpr float value(int n, int i, int j) { return float(n * 100 + i * j * 10 + i + j); }

template <class Matrices>
void fill(Matrices& matrices) {
  const auto view = matrices.view();
  for (int n = 0; n < matrices.size(); ++n)
    for (int i = 0; i < view.pattern.rows; ++i)
      for (int j = 0; j < view.pattern.columns; ++j) view(n, i, j) = value(n, i, j);
}

/// Matrices among 0 to n - 1 whose elements are not `factor` times what `fill` wrote.
template <class Matrices>
int wrong(const Matrices& matrices, int n, float factor) {
  const auto view = matrices.view();
  int count = 0;
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < view.pattern.rows; ++i)
      for (int j = 0; j < view.pattern.columns; ++j)
        count += view(k, i, j) != factor * value(k, i, j);
  return count;
}

template <class Real, class From, class To>
struct Double {
  From from;
  To to;
  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    to.store(tile, Real(2) * from.load(tile));
  }
};

template <class Real, class Space, class From, class To>
void twice(const Space& exec, const From& from, const To& to, int n) {
  for_each_tile<Real>(exec, "Trackplex::Test::twice", n, Double<Real, From, To>{from, to});
  exec.fence();
}

/// All lane widths that the space has, over tiles of one width, with a part of a tile at the end.
template <class Matrices, class Space>
void check_lane_widths() {
  const Space exec;
  for (const int n : {1, 5, 8, 16, 29, 32, 33, 100}) {
    Matrices from(exec, n);
    auto host = host_mirror(from);
    fill(host);
    deep_copy(exec, from, host);
    const auto check = [&]<class Real>(Real) {
      CAPTURE(n, width_of<Real>, Matrices::tile_width);
      Matrices to(exec, n);
      twice<Real>(exec, from.const_view(), to.view(), n);
      auto result = host_mirror(to);
      deep_copy(exec, result, to);
      exec.fence();
      CHECK(wrong(result, n, 2) == 0);
    };
    check(float{});
    if constexpr (is_host_space<Space>) {
      check(Lanes<float, 4>{});
      check(Lanes<float, 8>{});
      check(Lanes<float, 16>{});
      check(Lanes<double, 4>{});
    }
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("kernels read and write tiles at any lane width", "[matriplex]",
                        EnabledSpaces) {
  check_lane_widths<Matriplex<float, 2, 3, MemoryOf<TestType>>, TestType>();
  check_lane_widths<SymMatriplex<float, 3, MemoryOf<TestType>>, TestType>();
  check_lane_widths<Matriplex<double, 2, 3, MemoryOf<TestType>>, TestType>();
  check_lane_widths<SymMatriplex<float, 3, MemoryOf<TestType>, 1>, TestType>();
  check_lane_widths<SymMatriplex<float, 3, MemoryOf<TestType>, 4>, TestType>();
  check_lane_widths<SymMatriplex<float, 3, MemoryOf<TestType>, 32>, TestType>();
}

namespace {

/// Differences between products stored at once and as they are computed, for lanes and tiles of any
/// width.
template <class Real, int TileWidth, class Left, class Right>
int wrong_products() {
  using Memory = MemoryOf<HostExecutor>;
  using T = ScalarOf<Real>;
  constexpr int n = 37;
  BasicMatriplex<T, Left, Memory, TileWidth> a(HostExecutor(), n);
  BasicMatriplex<T, Right, Memory, TileWidth> b(HostExecutor(), n);
  BasicMatriplex<T, DenseShape<Left::rows, Right::columns>, Memory, TileWidth> product(
      HostExecutor(), n),
      deferred(HostExecutor(), n);
  for (int k = 0; k < n; ++k) {
    for (int e = 0; e < a.view().elements; ++e) a.view().element(k, e) = T(k - 3 * e) / T(7);
    for (int e = 0; e < b.view().elements; ++e) b.view().element(k, e) = T(2 * e + k) / T(11);
  }
  int count = 0;
  for (int first = 0; first < n; first += width_of<Real>) {
    const Tile<Real> tile{first, std::min(n - first, width_of<Real>)};
    const auto x = a.const_view().load(tile);
    const auto y = b.const_view().load(tile);
    product.view().store(tile, x * y);
    deferred.view().store(tile, deferred_product(a.const_view().deferred_load(tile), y));
  }
  for (int k = 0; k < n; ++k)
    for (int e = 0; e < product.view().elements; ++e)
      count += product.view().element(k, e) != deferred.view().element(k, e);
  return count;
}

}  // namespace

TEMPLATE_TEST_CASE("products of deferred loads have the same bits", "[matriplex]", float,
                   (Lanes<float, 4>), (Lanes<float, 16>), (Lanes<double, 8>)) {
  CHECK(wrong_products<TestType, 16, SymmetricShape<6>, SymmetricShape<6>>() == 0);
  CHECK(wrong_products<TestType, 4, DenseShape<2, 3>, SymmetricShape<3>>() == 0);
  CHECK(wrong_products<TestType, 1, SymmetricShape<3>, DenseShape<3, 1>>() == 0);
}

TEMPLATE_LIST_TEST_CASE("a kernel over a part writes nothing else", "[matriplex]", EnabledSpaces) {
  const TestType exec;
  constexpr int n = 77, width = 8;
  SymMatriplex<float, 3, MemoryOf<TestType>, width> matrices(exec, n);
  auto host = host_mirror(matrices);
  fill(host);
  deep_copy(exec, matrices, host);
  using Real = LanesOf<float, is_host_space<TestType> ? width : 1>;
  const auto part = matrices.view().subset(2 * width, 5);
  CHECK(part.size() == 5);
  twice<Real>(exec, matrices.const_view().subset(2 * width, 5), part, 5);
  deep_copy(exec, host, matrices);
  exec.fence();
  const auto view = host.view();
  for (int k = 0; k < n; ++k) {
    CAPTURE(k);
    const bool inside = 2 * width <= k && k < 2 * width + 5;
    CHECK(view(k, 2, 1) == (inside ? 2 : 1) * value(k, 2, 1));
    CHECK(view(k, 0, 0) == (inside ? 2 : 1) * value(k, 0, 0));
  }
}

TEST_CASE("subsets begin with a tile and lie inside", "[matriplex]") {
  const HostExecutor exec;
  Matriplex<float, 2, 2, MemoryOf<HostExecutor>, 8> matrices(exec, 20);
  CHECK(matrices.view().subset(16, 4).size() == 4);
  CHECK(matrices.view().subset(0, 0).size() == 0);
  CHECK_THROWS_AS(matrices.view().subset(4, 4), UsageError);
  CHECK_THROWS_AS(matrices.view().subset(16, 5), UsageError);
  CHECK_THROWS_AS(matrices.view().subset(-8, 5), UsageError);
  CHECK_THROWS_AS(matrices.view().subset(0, -1), UsageError);
}

TEMPLATE_LIST_TEST_CASE("memory is kept and is zero at first", "[matriplex]", EnabledSpaces) {
  const TestType exec;
  Matriplex<float, 2, 2, MemoryOf<TestType>, 8> matrices;
  CHECK(matrices.size() == 0);
  CHECK(matrices.capacity() == 0);
  matrices.allocate(exec, 13);
  CHECK(matrices.size() == 13);
  CHECK(matrices.capacity() == 16);
  auto host = host_mirror(matrices);
  deep_copy(exec, host, matrices);
  exec.fence();
  CHECK(host.view()(12, 1, 1) == 0);

  const auto* const memory = matrices.view().data().data();
  fill(host);
  deep_copy(exec, matrices, host);
  matrices.allocate(exec, 4);
  matrices.allocate(exec, 16);
  CHECK(matrices.view().data().data() == memory);
  host.allocate(HostExecutor(), 16);
  deep_copy(exec, host, matrices);
  exec.fence();
  CHECK(wrong(host, 13, 1) == 0);
  matrices.allocate(exec, 17);
  CHECK(matrices.capacity() == 24);
  CHECK_THROWS_AS(matrices.allocate(exec, -1), UsageError);
  CHECK_THROWS_AS(deep_copy(exec, matrices, host), UsageError);
}

TEMPLATE_LIST_TEST_CASE("a capacity is kept, and the number set within it", "[matriplex]",
                        EnabledSpaces) {
  const TestType exec;
  Matriplex<float, 2, 2, MemoryOf<TestType>, 8> matrices(exec, 3);
  matrices.allocate(exec, 20);
  CHECK(matrices.size() == 20);
  CHECK(matrices.capacity() == 24);
  const auto* const memory = matrices.view().data().data();
  matrices.allocate(exec, 24);
  matrices.set_size(24);
  CHECK(matrices.size() == 24);
  matrices.allocate(exec, 20);
  CHECK(matrices.view().data().data() == memory);
  CHECK_THROWS_AS(matrices.set_size(25), UsageError);
  CHECK_THROWS_AS(matrices.set_size(-1), UsageError);
  CHECK_THROWS_AS(matrices.allocate(exec, -1), UsageError);
  CHECK(matrices.size() == 20);
}

TEST_CASE("elements of consecutive matrices stand side by side", "[matriplex]") {
  using Space = HostExecutor;
  const Space exec;
  SymMatriplex<float, 3, MemoryOf<Space>, 8> matrices(exec, 20);
  const auto view = matrices.view();
  CHECK(view.elements == 6);
  CHECK(&view(1, 2, 1) == &view(0, 2, 1) + 1);
  CHECK(&view(0, 1, 2) == &view(0, 2, 1));
  CHECK(&view(0, 2, 1) == &view(0, 0, 0) + 4 * 8);
  CHECK(&view(8, 0, 0) == &view(0, 0, 0) + 6 * 8);
  CHECK(&view.element(9, 4) == &view(9, 2, 1));
  // a matrix with known elements is stored whole
  view.store(Tile<float>{9, 1},
             Symmetric<float, 3, SymmetricPattern<3>("x", ". 1", "x . x")>{2, 3, 4});
  CHECK(view(9, 0, 0) == 2);
  CHECK(view(9, 1, 1) == 1);
  CHECK(view(9, 2, 1) == 0);
  CHECK(view(9, 2, 2) == 4);
}

}  // namespace trackplex::test
