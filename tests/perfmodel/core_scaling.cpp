// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>
#include <trackplex/core/error.hpp>
#include <trackplex/perfmodel/core_scaling.hpp>
#include <trackplex/perfmodel/device_library.hpp>

using namespace trackplex;
using namespace trackplex::perfmodel;
using Catch::Matchers::WithinRel;

namespace {

/// 64 cores of 1 MB and 64 MB in common; 100 GB/s, of which a core reaches 20.
Device cpu() {
  return {.name = "cpu",
          .kind = DeviceKind::cpu,
          .clock = 2e9,
          .cores = 64.,
          .memory = {.bandwidth = 100e9},
          .core_bandwidth = 20e9,
          .core_cache = 1e6,
          .shared_cache = 64e6};
}

/// 100 us per event; 0.1 MB move where the cache has 8 MB, 2 MB where it has 2 MB.
ChainProfile chain() {
  return {.name = "chain", .time = 1e-4, .traffic = {{{2e6, 2e6}, {8e6, 1e5}}}};
}

}  // namespace

TEST_CASE("traffic is linear in the logarithm of the cache", "[perfmodel]") {
  const TrafficCurve traffic = chain().traffic;
  CHECK(traffic(1.) == 2e6);
  CHECK(traffic(2e6) == 2e6);
  CHECK_THAT(traffic(4e6), WithinRel(1.05e6, 1e-12));
  CHECK(traffic(8e6) == 1e5);
  CHECK(traffic(1e12) == 1e5);
  CHECK(TrafficCurve{}(1.) == 0.);
  CHECK(TrafficCurve{{{5., 7.}}}(1e9) == 7.);
}

TEST_CASE("a chain without traffic scales with the cores", "[perfmodel]") {
  const auto scaling = scale_over_cores({.name = "c", .time = 1e-6}, cpu(), {1., 3., 64.});
  CHECK_THAT(scaling.single, WithinRel(1e6, 1e-14));
  CHECK(scaling.saturation == 0.);
  for (const auto& point : scaling.points) {
    CHECK_THAT(point.best, WithinRel(1e6 * point.cores, 1e-14));
    CHECK(point.best == point.worst);
  }
}

TEST_CASE("cores share the last-level cache and the memory", "[perfmodel]") {
  const auto scaling = scale_over_cores(chain(), cpu(), {1., 4., 64.});
  REQUIRE(scaling.points.size() == 3);
  const auto &one = scaling.points[0], &few = scaling.points[1], &all = scaling.points[2];
  CHECK(one.cache == 65e6);
  CHECK(few.cache == 17e6);
  CHECK(all.cache == 2e6);

  // 0.1 MB at 20 GB/s are 5 us: hidden in both cases, as the time is measured with them.
  CHECK_THAT(one.best, WithinRel(1e4, 1e-12));
  CHECK_THAT(one.worst, WithinRel(1e4, 1e-12));
  CHECK_THAT(few.worst, WithinRel(4e4, 1e-12));

  // 2 MB at 100 GB/s / 64 are 1.28 ms.
  CHECK(all.bytes_per_item == 2e6);
  CHECK_THAT(all.best, WithinRel(64. / 1.28e-3, 1e-12));
  CHECK_THAT(all.worst, WithinRel(64. / (1e-4 + 1.28e-3 - 5e-6), 1e-12));
}

TEST_CASE("the memory is saturated from the first number of cores that it delays", "[perfmodel]") {
  auto device = cpu();
  device.shared_cache = 0.;  // 2 MB per event and core: 50 events/ms in all
  const auto saturated = scale_over_cores(chain(), device, {5., 6., 64.});
  CHECK(saturated.saturation == 6.);
  CHECK_THAT(saturated.points[0].best, WithinRel(5e4, 1e-12));
  CHECK_THAT(saturated.points[1].best, WithinRel(5e4, 1e-12));
  CHECK_THAT(saturated.points[2].best, WithinRel(5e4, 1e-12));

  // One core that waits for its own share of the bandwidth is saturated, too.
  device.core_bandwidth = 10e9;
  CHECK(scale_over_cores(chain(), device, {1.}).saturation == 1.);
}

TEST_CASE("times are scaled by the clocks", "[perfmodel]") {
  auto c = chain();
  c.clock = 4e9;
  CHECK_THAT(scale_over_cores(c, cpu(), {1.}).single, WithinRel(5e3, 1e-12));
}

TEST_CASE("the numbers of cores are powers of two, and all", "[perfmodel]") {
  auto device = cpu();
  CHECK(core_counts(device) == std::vector<double>{1., 2., 4., 8., 16., 32., 64.});
  device.cores = 6.;
  CHECK(core_counts(device) == std::vector<double>{1., 2., 4., 6.});
  device.cores = 1.;
  CHECK(core_counts(device) == std::vector<double>{1.});
}

TEST_CASE("scaling refuses what it cannot forecast", "[perfmodel]") {
  CHECK_THROWS_AS(scale_over_cores({.name = "c"}, cpu(), {1.}), UsageError);
  CHECK_THROWS_AS(scale_over_cores({.name = "c", .time = INFINITY}, cpu(), {1.}), UsageError);
  CHECK_THROWS_AS(scale_over_cores(chain(), cpu(), {65.}), UsageError);
  CHECK_THROWS_AS(scale_over_cores(chain(), cpu(), {0.5}), UsageError);
  const auto gpu = device_named(device_library(), "H200");
  CHECK_THROWS_AS(scale_over_cores(chain(), gpu, {1.}), UsageError);
  auto device = cpu();
  device.memory.bandwidth = 0.;
  CHECK_THROWS_AS(scale_over_cores(chain(), device, {1.}), UsageError);
}

TEST_CASE("CPUs of the library have caches", "[perfmodel]") {
  for (const auto& device : device_library())
    if (device.kind == DeviceKind::cpu) {
      CHECK(device.core_cache > 0.);
      CHECK(device.shared_cache > device.core_cache);
    }
}
