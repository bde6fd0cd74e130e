// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <trackplex/beam/collective/detail/open_grid_solver.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>
#include <vector>

#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::beam::detail;
using Catch::Approx;

namespace {

std::vector<double> copied(const auto& exec, const auto& view) {
  const auto host = to_host(exec, view);
  return {host.data(), host.data() + host.extent(0)};
}

/// The Green function of a grid.
std::vector<double> green_of(const GridShape& shape, double hx, double hy, double hz) {
  const HostExecutor exec;
  OpenGridSolver<HostExecutor, 4> solver(exec, shape);
  solver.find_green(exec, hx, hy, hz, 1.);
  return copied(exec, solver.green());
}

struct Solution {
  std::vector<std::int64_t> charges;
  std::vector<double> potential;
  friend bool operator==(const Solution&, const Solution&) = default;
};

template <int Width, class Space>
Solution solved(const GridShape& shape, double hx, double hy, double hz) {
  const Space exec;
  OpenGridSolver<Space, Width> solver(exec, shape);
  RandomStream<double> random(4, 1);
  Solution solution;
  for (int i = 0; i < shape.nodes(); ++i)
    solution.charges.push_back(std::int64_t(random.uniform(-1e6, 1e9)));
  copy_to_device(exec, solver.charges(), solution.charges);
  solver(exec, hx, hy, hz, 1e-9);
  solution.potential = copied(exec, solver.potential());
  return solution;
}

/// Largest difference to the sum over all charges, relative to the largest potential.
double largest_error(const GridShape& shape, const Solution& solution,
                     const std::vector<double>& green) {
  double largest = 0., highest = 0.;
  for (int to = 0; to < shape.nodes(); ++to) {
    const int x = to / (shape.y * shape.z), y = to / shape.z % shape.y, z = to % shape.z;
    long double sum = 0.L;
    for (int from = 0; from < shape.nodes(); ++from) {
      const int dx = std::abs(x - from / (shape.y * shape.z));
      const int dy = std::abs(y - from / shape.z % shape.y), dz = std::abs(z - from % shape.z);
      sum += (long double)(solution.charges[from]) *
             green[(dx * shape.green_y() + dy) * (shape.z + 1) + dz];
    }
    sum *= 1e-9L;
    largest = std::max(largest, std::abs(double(sum - solution.potential[to])));
    highest = std::max(highest, std::abs(double(sum)));
  }
  return largest / highest;
}

}  // namespace

TEST_CASE("integrals of 1/r over cells", "[beam]") {
  const auto green = green_of({16, 16, 16}, 1., 1., 1.);
  const auto at = [&](int x, int y, int z) { return green[(x * 17 + y) * 17 + z]; };
  CHECK(at(0, 0, 0) == Approx(2.380077364).epsilon(1e-9));
  CHECK(at(1, 0, 0) == Approx(0.987592404).epsilon(1e-9));
  CHECK(at(10, 0, 0) == Approx(0.0999998543).epsilon(1e-9));
  CHECK(at(0, 1, 0) == Approx(at(1, 0, 0)).epsilon(1e-13));
  CHECK(at(0, 0, 1) == Approx(at(1, 0, 0)).epsilon(1e-13));
  CHECK(at(3, 7, 5) == Approx(at(7, 5, 3)).epsilon(1e-12));
  // homogeneous of degree 2
  const auto scaled = green_of({16, 16, 16}, 4., 4., 4.);
  for (std::size_t i = 0; i < green.size(); ++i) CHECK(scaled[i] == Approx(16. * green[i]));
}

TEST_CASE("integrals of 1/r over long cells", "[beam]") {
  // At some cell lengths away a cell is a line along its long side, uniformly charged.
  for (const double aspect : {30., 500., 2e4}) {
    CAPTURE(aspect);
    const auto green = green_of({64, 8, 64}, 1., 1., aspect);
    for (const int x : {20, 63})
      for (const int z : {0, 1, 40}) {
        const double below = (z - 0.5) * aspect, above = (z + 0.5) * aspect;
        const double line = std::asinh(above / x) - std::asinh(below / x);
        CHECK(green[x * 9 * 65 + z] == Approx(line).epsilon(1e-3));
      }
    // second differences along z vanish far away but for the potential's own
    const double* const row = green.data() + 63 * 9 * 65;
    for (int z = 30; z < 60; ++z) {
      CHECK(row[z] > row[z + 1]);
      CHECK(row[z - 1] + row[z + 1] > 2. * row[z]);
    }
  }
}

TEST_CASE("integrals of the logarithm over cells", "[beam]") {
  const auto green = green_of({16, 1, 16}, 1., 1., 1.);
  CHECK(green[0] == Approx(2.122350854).epsilon(1e-9));
  CHECK(green[10 * 17] == Approx(-2. * std::log(10.)).epsilon(1e-5));
  CHECK(green[10 * 17 + 10] == Approx(-std::log(200.)).epsilon(1e-5));
  CHECK(green[7] == Approx(green[7 * 17]).epsilon(1e-13));
}

TEMPLATE_LIST_TEST_CASE("potentials are sums over all charges", "[beam]", test::EnabledSpaces) {
  constexpr int width = is_host_space<TestType> ? 4 : 1;
  for (const GridShape shape : {GridShape{8, 8, 8}, GridShape{16, 8, 32}, GridShape{8, 16, 8},
                                GridShape{16, 1, 8}, GridShape{8, 1, 32}}) {
    CAPTURE(shape.x, shape.y, shape.z);
    const auto solution = solved<width, TestType>(shape, 1., 0.7, 3.);
    CHECK(largest_error(shape, solution, green_of(shape, 1., 0.7, 3.)) < 1e-14);
    CHECK(solved<1, HostExecutor>(shape, 1., 0.7, 3.) == solution);
    if constexpr (is_host_space<TestType>) {
      CHECK(solved<2, TestType>(shape, 1., 0.7, 3.) == solution);
      CHECK(solved<8, TestType>(shape, 1., 0.7, 3.) == solution);
    }
  }
}
