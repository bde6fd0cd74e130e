// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is around the counts: refusals, positions on an axis, the fullest
// bin and the range of values, and that a call with its workspace allocates nothing.
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <trackplex/core/algorithm.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/histogram/extrema.hpp>

#include "histogram/binning.hpp"
#include "support/refusals.hpp"
#include "support/spaces.hpp"

using namespace trackplex;
using namespace trackplex::test;
using namespace trackplex::histogram;

namespace {

template <class Space, class Count>
MaximumBin<Count> maximum_of(const std::vector<Count>& counts) {
  const Space exec;
  const Kokkos::View<MaximumBin<Count>*, typename Space::memory_space> result("maximum", 1);
  maximum_bin(exec, to_device<Count>(exec, "counts", counts), int(counts.size()), result);
  return to_host(exec, result)(0);
}

template <int Width, class Space, class T>
std::pair<T, T> range_of(const std::vector<T>& values) {
  const Space exec;
  Workspace<Space> workspace;
  const auto device = to_device<T>(exec, "values", values);
  const Kokkos::View<T*, typename Space::memory_space> range("range", 2);
  value_range<LanesOf<T, Width>>(exec, int(values.size()), GivenPositions<T>{device.data()}, range,
                                 workspace);
  const auto host = to_host(exec, range);
  return {host(0), host(1)};
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("the fullest bin is the first of the largest", "[histogram]",
                        test::EnabledSpaces) {
  const auto check = [](const auto& counts, auto count, int bin) {
    const auto maximum = maximum_of<TestType>(counts);
    CHECK(maximum.count == count);
    CHECK(maximum.bin == bin);
  };
  check(std::vector<std::int32_t>{7}, 7, 0);
  check(std::vector<std::int32_t>(5000, 0), 0, 0);
  check(std::vector<std::int32_t>{-3, -2, -2, -5}, -2, 1);
  const std::int64_t large = std::int64_t(1) << 51;
  std::vector<std::int64_t> counts(4999, 2);
  counts[4998] = large;
  check(counts, large, 4998);
  counts[300] = counts[812] = counts[301] = large;
  check(counts, large, 300);
  counts[256] = large + 1;
  check(counts, large + 1, 256);
}

TEMPLATE_LIST_TEST_CASE("the range of values passes NaNs over", "[histogram]",
                        test::EnabledSpaces) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto check = [](const std::vector<double>& values, double low, double high) {
    CHECK(range_of<1, TestType>(values) == std::pair(low, high));
    if constexpr (is_host_space<TestType>)
      CHECK(range_of<8, TestType>(values) == std::pair(low, high));
  };
  check({}, infinity, -infinity);
  check({nan, nan}, infinity, -infinity);
  check({nan, 3., nan, -2., 8.5, nan}, -2., 8.5);
  check({-infinity, 1.}, -infinity, 1.);
  std::vector<double> many(100003, 1.);
  many[77777] = -1e-300;
  many[99999] = 1e300;
  check(many, -1e-300, 1e300);
}

TEMPLATE_LIST_TEST_CASE("positions on a regular axis", "[histogram]", test::EnabledSpaces) {
  const TestType exec;
  Workspace<TestType> workspace;
  const RegularAxis<double> axis(-1., 1., 4);
  const auto values = to_device<double>(
      exec, "values", std::vector<double>{-1., -0.6, -0.5, 0., 0.25, 0.75, 0.99, 1., -1.01, 7.});
  const Kokkos::View<std::int64_t*, typename TestType::memory_space> counts("counts", 4);
  const Kokkos::View<OutsideCounts*, typename TestType::memory_space> outside("outside", 1);
  const auto deposit_values = [&](Deposition deposition) {
    const Deposit<double, TestType> deposit{{.bins = axis.bins(), .deposition = deposition}};
    deposit(exec, 10, positions_on(axis, values), counts, outside, workspace);
    return to_host(exec, counts);
  };
  const auto nearest = deposit_values(Deposition::nearest);
  CHECK((nearest(0) == 2 && nearest(1) == 1 && nearest(2) == 2 && nearest(3) == 2));
  const auto places = to_host(exec, outside)(0);
  CHECK((places.below == 1 && places.above == 2 && places.not_a_number == 0));
  CHECK(places.total() == 3);

  // positions 0, 0.8, 1, 2, 2.5, 3.5, 3.98: 0.8 gives 0.3 to the next bin, 1 and 2 a half
  const auto linear = deposit_values(Deposition::linear);
  const std::int64_t unit = linear_unit, part = 314573;  // 0.3 units, rounded
  CHECK(linear(0) == unit + (unit - part) + unit / 2);
  CHECK(linear(1) == part + unit / 2 + unit / 2);
  CHECK(linear(2) == unit / 2 + unit);
  CHECK(linear(3) == 2 * unit);
}

TEST_CASE("impossible histograms are refused", "[histogram]") {
  using Space = HostExecutor;
  const Space exec;
  Workspace<Space> workspace;
  const Kokkos::View<std::int32_t*, Space::memory_space> counts("counts", 8);
  const Kokkos::View<OutsideCounts*, Space::memory_space> outside("outside", 1), none("none", 0);
  const GivenPositions<float> positions{nullptr};
  const auto with = [&](int n, int bins, const auto& places, Deposition deposition) {
    return [&, n, bins, deposition] {
      Deposit<float, Space, 1>{{.bins = bins, .deposition = deposition}}(exec, n, positions, counts,
                                                                         places, workspace);
    };
  };
  const auto nearest = Deposition::nearest;
  CHECK_NOTHROW(with(0, 8, outside, nearest)());
  check_refused<UsageError>(with(-1, 8, outside, nearest), "negative number of particles");
  check_refused<UsageError>(with(0, 0, outside, nearest), "there are no bins");
  check_refused<UsageError>(with(0, 1 << 22, outside, nearest), "too many bins");
  check_refused<UsageError>(with(0, 9, outside, nearest), "too small");
  check_refused<UsageError>(with(0, 8, none, nearest), "too small");
  check_refused<UsageError>(with(0, 8, outside, Deposition::linear), "64 bits");
  Kokkos::View<std::int32_t*, Space::memory_space> allocated;
  Kokkos::View<OutsideCounts*, Space::memory_space> one;
  run_algorithm(exec, Deposit<float, Space>{{.bins = 8}}, 0, positions, allocated, one, workspace);
  CHECK((allocated.extent(0) == 8 && one.extent(0) == 1));
  const Kokkos::View<MaximumBin<std::int32_t>*, Space::memory_space> maximum("maximum", 1);
  check_refused<UsageError>([&] { maximum_bin(exec, counts, 0, maximum); }, "no such bins");
  check_refused<UsageError>([&] { maximum_bin(exec, counts, 9, maximum); }, "no such bins");
}
