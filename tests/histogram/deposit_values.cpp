// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/random.hpp>
#include <trackplex/histogram/deposit_values.hpp>
#include <vector>

#include "support/lane_widths.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using histogram::DepositValues;
using histogram::unit_of_sums;

namespace {

/// Positions and two values of particles.
struct Particles {
  std::vector<double> position, first, second;
};

Particles particles(int n, int bins) {
  RandomStream<double> random(7, 1);
  Particles all;
  for (int i = 0; i < n; ++i) {
    all.position.push_back((1.2 * random.uniform() - 0.1) * bins);  // some outside
    all.first.push_back(std::rint(1e6 * random.normal(0., 1.)));
    all.second.push_back(std::rint(1e14 * random.normal(0.5, 1.)));
  }
  if (n > 10) all.position[n / 2] = std::numeric_limits<double>::quiet_NaN();
  return all;
}

std::vector<std::int64_t> expected(const Particles& all, int bins) {
  std::vector<std::int64_t> sums(2 * bins, 0);
  for (std::size_t i = 0; i < all.position.size(); ++i) {
    const double at = all.position[i];
    if (!(at >= 0. && at < bins)) continue;
    sums[2 * int(at)] += std::int64_t(all.first[i]);
    sums[2 * int(at) + 1] += std::int64_t(all.second[i]);
  }
  return sums;
}

template <class Real>
struct Values {
  const double* position;
  const double* first;
  const double* second;
  KOKKOS_FUNCTION histogram::BinnedValues<Real, 2> operator()(const Tile<Real>& tile) const {
    return {tile.load(position), {tile.load(first), tile.load(second)}};
  }
};

template <class Space, int Width>
std::vector<std::int64_t> deposited(const Particles& all, int bins) {
  const Space exec;
  const auto at = trackplex::to_device<double>(exec, "position", all.position);
  const auto first = trackplex::to_device<double>(exec, "first", all.first);
  const auto second = trackplex::to_device<double>(exec, "second", all.second);
  const Kokkos::View<std::int64_t*, MemoryOf<Space>> sums("sums", 2 * bins);
  deep_copy(exec, sums, std::int64_t(5));  // is replaced
  const DepositValues<double, 2, Space, Width> deposit{bins};
  deposit(exec, int(all.position.size()),
          Values<LanesOf<double, Width>>{at.data(), first.data(), second.data()}, sums);
  const auto host = to_host(exec, sums);
  return {host.data(), host.data() + host.extent(0)};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("Sums of values in bins are those of a loop", "[histogram]",
                        test::EnabledSpaces) {
  test::for_each_width<TestType>([]<int Width>() {
    for (const int n : {0, 1, 7, 1000, 50001})
      for (const int bins : {1, 64, 5000}) {
        CAPTURE(Width, n, bins);
        const auto all = particles(n, bins);
        CHECK(deposited<TestType, Width>(all, bins) == expected(all, bins));
      }
  });
}

TEST_CASE("Units of sums use the 64 bits of integers", "[histogram]") {
  for (const double largest : {1e-9, 1., 1.5, 3e7})
    for (const int n : {1, 2, 3, 1000, 1 << 20, 2000000000}) {
      CAPTURE(largest, n);
      const double unit = unit_of_sums(largest, n);
      CHECK(n * (largest / unit) < 0x1p62);
      CHECK(unit <= largest * n * 0x1p-60);
      int exponent = 0;
      CHECK(std::frexp(unit, &exponent) == 0.5);
    }
  CHECK(unit_of_sums(0., 100) > 0.);
}

TEST_CASE("Sums of values that are impossible", "[histogram]") {
  using Space = HostExecutor;
  const Kokkos::View<std::int64_t*, MemoryOf<Space>> sums("sums", 8);
  const auto with = [&](int n, int bins) {
    return [=] {
      const DepositValues<double, 2, Space, 1> deposit{bins};
      deposit(Space(), n, Values<double>{}, sums);
      return 0;
    };
  };
  CHECK_NOTHROW(with(0, 4)());
  test::check_refused<UsageError>(with(-1, 4), "a negative number of particles");
  test::check_refused<UsageError>(with(10, 0), "no such number of bins");
  test::check_refused<UsageError>(with(10, 5), "too few sums (5 bins, 8 sums)");
}
