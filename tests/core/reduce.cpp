// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/reduce.hpp>
#include <vector>

#include "support/spaces.hpp"

using namespace trackplex;

namespace {

/// Numbers of very different size, so that the order of their sum shows.
template <class T>
std::vector<T> some_numbers(int n) {
  std::vector<T> x(n);
  std::uint32_t state = 99;
  for (auto& value : x) {
    state = state * 1664525u + 1013904223u;
    const T mantissa = T(state >> 9) / T(1 << 23) - T(0.5);
    value = std::ldexp(mantissa, int(state % 41u) - 20);
  }
  return x;
}

/// The sum of a branch of the tree over blocks.
template <class T>
T branch_sum(const std::vector<T>& blocks, std::size_t first, std::size_t size) {
  if (size == 1) return blocks[first];
  const T left = branch_sum(blocks, first, size / 2);
  return first + size / 2 < blocks.size() ? left + branch_sum(blocks, first + size / 2, size / 2)
                                          : left;
}

/// The sum as the header describes it, without lanes or threads.
template <class T>
T described_sum(const std::vector<T>& x) {
  std::vector<T> blocks;
  for (std::size_t first = 0; first == 0 || first < x.size(); first += 4096) {
    T partial[32] = {};
    for (std::size_t i = first; i < std::min(first + 4096, x.size()); ++i) partial[i % 32] += x[i];
    for (int half = 16; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) partial[i] += partial[i + half];
    blocks.push_back(partial[0]);
  }
  return branch_sum(blocks, 0, std::bit_ceil(blocks.size()));
}

template <class Operation, int Width, class Space, class T>
T reduced(const std::vector<T>& x) {
  const Space exec;
  Workspace<Space> workspace;
  Kokkos::View<T*, typename Space::memory_space> device("x", x.size()), result("result", 1);
  const auto host = Kokkos::create_mirror_view(device);
  std::copy(x.begin(), x.end(), host.data());
  Kokkos::deep_copy(device, host);
  reduce_array<Operation, Width>(exec, device, int(x.size()), result, workspace);
  exec.fence();
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result)(0);
}

template <class T, class Space, int Width>
void check_width(const std::vector<T>& x, T sum) {
  CAPTURE(Width, x.size());
  CHECK(reduced<Sum, Width, Space>(x) == sum);
  if (x.empty()) return;
  CHECK(reduced<Min, Width, Space>(x) == *std::min_element(x.begin(), x.end()));
  CHECK(reduced<Max, Width, Space>(x) == *std::max_element(x.begin(), x.end()));
}

template <class T, class Space, int... Widths>
void check_widths() {
  for (const int n : {0, 1, 31, 33, 4095, 4096, 4097, 100000, 130 * 4096 + 1}) {
    const auto x = some_numbers<T>(n);
    const T sum = described_sum(x);
    (check_width<T, Space, Widths>(x, sum), ...);
  }
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("reductions give the same bits at every width", "[core]",
                        test::EnabledSpaces) {
  check_widths<float, TestType, 1>();
  check_widths<double, TestType, 1>();
  if constexpr (is_host_space<TestType>) {
    check_widths<float, TestType, 4, 8, 16>();
    check_widths<double, TestType, 2, 4, 8>();
  }
}

TEMPLATE_LIST_TEST_CASE("a tree over more than one group of blocks", "[core]",
                        test::EnabledSpaces) {
  const auto x = some_numbers<float>(4096 * 4096 + 5);
  CHECK(reduced<Sum, default_lane_width<TestType, float>, TestType>(x) == described_sum(x));
}

TEST_CASE("reductions of nothing and of NaNs", "[core]") {
  using Space = HostExecutor;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(reduced<Min, 4, Space>(std::vector<float>{}) == infinity);
  CHECK(reduced<Max, 4, Space>(std::vector<float>{}) == -infinity);
  CHECK(reduced<Min, 4, Space>(std::vector<float>{nan, 3.f, nan, 2.f}) == 2.f);
  CHECK(reduced<Max, 4, Space>(std::vector<float>{nan, 3.f, nan, 2.f}) == 3.f);
  CHECK(reduced<Max, 4, Space>(std::vector<int>{-7, -3, -5}) == -3);
  CHECK(reduced<Sum, 8, Space>(std::vector<int>{1, 2, 3}) == 6);
}

TEMPLATE_LIST_TEST_CASE("sums of powers", "[core]", test::EnabledSpaces) {
  const TestType exec;
  const int n = 1001;
  Workspace<TestType> workspace;
  Kokkos::View<double*, typename TestType::memory_space> x("x", n), sums("sums", 4);
  const auto host = Kokkos::create_mirror_view(x);
  for (int i = 0; i < n; ++i) host(i) = 1000. + i - 500;
  Kokkos::deep_copy(x, host);
  sum_powers<default_lane_width<TestType, double>>(exec, x, n, 1000., sums, workspace);
  exec.fence();
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  CHECK(result(0) == 0.);
  CHECK(result(1) == 2. * (500. * 501. * 1001. / 6.));
  CHECK(result(2) == 0.);
  CHECK(result(3) == 2. * 500. * 501. * 1001. * (3. * 250000. + 1500. - 1.) / 30.);
}

namespace {
/// An item's number, and what is left behind it.
template <class Real>
struct NumberAndRest {
  double* rest;
  int n;
  KOKKOS_FUNCTION Kokkos::Array<Real, 3> operator()(const Tile<Real>& tile) const {
    const Real i = convert<Real>(tile.index()), before = tile.load(rest);
    tile.store(rest, before + Real(n) - i);
    return {{i, i, i}};
  }
};

template <class Space, int Width>
void check_each(int n) {
  using Real = LanesOf<double, Width>;
  const Space exec;
  Workspace<Space> workspace;
  Kokkos::View<double*, typename Space::memory_space> rest("rest", n), result("result", 3);
  reduce<Each<Sum, Max, Min>, Real>(exec, n, NumberAndRest<Real>{rest.data(), n}, result,
                                    workspace);
  exec.fence();
  const auto found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result);
  CHECK(found(0) == 0.5 * n * (n - 1.));
  CHECK(found(1) == n - 1.);
  CHECK(found(2) == 0.);
  const auto written = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rest);
  for (int i = 0; i < n; ++i) REQUIRE(written(i) == n - i);
}
}  // namespace

TEMPLATE_LIST_TEST_CASE("components with operations of their own ask for each item once", "[core]",
                        test::EnabledSpaces) {
  for (const int n : {1, 33, 4097, 10000}) {
    check_each<TestType, 1>(n);
    if constexpr (is_host_space<TestType>) check_each<TestType, 8>(n);
  }
}
