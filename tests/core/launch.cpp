// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <support/spaces.hpp>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>

using namespace trackplex;

namespace {

template <class MemorySpace>
struct CountVisits {
  struct Twice {};
  Kokkos::View<int*, MemorySpace> visits;

  KOKKOS_FUNCTION void operator()(int i) const { visits(i) += 1; }
  KOKKOS_FUNCTION void operator()(Twice, int i) const { visits(i) += 2; }
};

template <class Real, class MemorySpace>
struct CountLanes {
  Kokkos::View<int*, MemorySpace> visits;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    for (int lane = 0; lane < tile.count; ++lane) visits(tile.first + lane) += 1;
  }
};

/// By how much a copy of a view inside of a kernel changes its count.
struct CopyViews {
  Kokkos::View<int*, Kokkos::HostSpace> changes;

  void operator()(int i) const {
    const int before = int(changes.use_count());
    const auto copy = changes;
    copy(i) = int(copy.use_count()) - before;
  }
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("each item is visited once", "[core]", test::EnabledSpaces) {
  using Memory = MemoryOf<TestType>;
  const TestType exec;
  for (const int n : {0, 1, 2, 3, 7, 64, 1000}) {
    CAPTURE(n);
    const Kokkos::View<int*, Memory> visits("Trackplex::Test::visits", n);
    const CountVisits<Memory> count{visits};
    for_each_item(exec, "Trackplex::Test::count", n, count);
    for_each_item<typename CountVisits<Memory>::Twice>(exec, "Trackplex::Test::count_twice", n,
                                                       count);
    using Real = LanesOf<float, default_lane_width<TestType, float>>;
    for_each_tile<Real>(exec, "Trackplex::Test::count_lanes", n, CountLanes<Real, Memory>{visits});
    const auto found = to_host(exec, visits);
    for (int i = 0; i < n; ++i) REQUIRE(found(i) == 4);
  }
}

TEST_CASE("the views of a host kernel count no references", "[core]") {
  const HostExecutor exec;
  const Kokkos::View<int*, Kokkos::HostSpace> changes("Trackplex::Test::changes", 100);
  deep_copy(exec, changes, -1);
  for_each_item(exec, "Trackplex::Test::copy_views", 100, CopyViews{changes});
  exec.fence();
  for (int i = 0; i < 100; ++i) REQUIRE(changes(i) == 0);
  CHECK(changes.use_count() == 1);
}
