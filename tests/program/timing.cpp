// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <common/timing.hpp>

#include <Kokkos_Core.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace trackplex::program;
using Catch::Matchers::WithinRel;

TEST_CASE("Quantiles lie between neighbours", "[timing]") {
  const std::vector<double> values = {1., 2., 4., 8., 16.};
  CHECK(quantile(values, 0.) == 1.);
  CHECK(quantile(values, 0.25) == 2.);
  CHECK(quantile(values, 0.5) == 4.);
  CHECK_THAT(quantile(values, 0.625), WithinRel(6., 1e-14));
  CHECK(quantile(values, 1.) == 16.);
  CHECK(quantile({3.}, 0.7) == 3.);
  CHECK_THROWS_AS(quantile({}, 0.5), std::invalid_argument);
}

TEST_CASE("The spread does not depend on the order", "[timing]") {
  const auto spread = spread_of({5., 1., 4., 2., 3., 100.});
  CHECK(spread.min == 1.);
  CHECK(spread.lower_quartile == 2.25);
  CHECK(spread.median == 3.5);
  CHECK(spread.upper_quartile == 4.75);
  CHECK(spread.max == 100.);
  const auto half = spread / 2.;
  CHECK(half.median == 1.75);
  CHECK(half.max == 50.);
}

namespace {

/// Stands for an execution space: counts the fences and has no work of its own.
struct CountingSpace {
  int* fences;
  void fence() const { ++*fences; }
};

/// The times of a step.
template <class Timer>
Spread spread(const Timer& timer, const std::string& step) {
  for (const auto& [name, times] : timer.times())
    if (name == step) return times;
  throw std::out_of_range(step);
}

void sleep_ms(int n) { std::this_thread::sleep_for(std::chrono::milliseconds(n)); }

}  // namespace

TEST_CASE("Each timed step stands between two fences of the instance", "[timing]") {
  int fences = 0;
  StepTimer timer(CountingSpace{&fences});
  timer.time("a", [&] { CHECK(fences == 1); });
  CHECK(fences == 2);
}

TEST_CASE("The warm-up is not counted, every repetition is", "[timing]") {
  int calls = 0, after = 0, fences = 0;
  const auto timer = measure(
      CountingSpace{&fences}, 3,
      [&](auto& t) {
        t.time("work", [&] { sleep_ms(calls == 0 ? 50 : 1); });
        ++calls;
      },
      [&] { ++after; });
  CHECK(calls == 4);
  CHECK(after == 4);
  CHECK(spread(timer, "work").min >= 1000.);
  CHECK(spread(timer, "work").median < 50000.);
}

TEST_CASE("A step of several batches is their sum", "[timing]") {
  int fences = 0;
  const auto timer = measure(CountingSpace{&fences}, 1, [&](auto& t) {
    for (int batch = 0; batch < 3; ++batch) {
      t.time("a", [] { sleep_ms(2); });
      t.time("b", [] { sleep_ms(1); });
    }
  });
  CHECK(spread(timer, "a").median >= 6000.);
  CHECK(spread(timer, "b").median >= 3000.);
}

TEST_CASE("The total is the sum of the steps, unless there is a step of that name", "[timing]") {
  int fences = 0;
  const auto timer = measure(CountingSpace{&fences}, 2, [&](auto& t) {
    t.add("a", 20.);
    t.add("b", 4.);
  });
  const auto times = timer.times(2.);
  REQUIRE(times.size() == 3);
  CHECK(times[0].first == "a");
  CHECK(times[0].second.median == 10.);
  CHECK(times[1].second.median == 2.);
  CHECK(times[2].first == "total");
  CHECK(times[2].second.median == 12.);
  const auto with_total = measure(CountingSpace{&fences}, 1, [&](auto& t) { t.add("total", 3.); });
  CHECK(with_total.times().size() == 1);
}

TEST_CASE("A real instance is waited for", "[timing]") {
  const Kokkos::DefaultExecutionSpace exec;
  const Kokkos::View<double*> sums("Trackplex::Test::sums", 64);
  const auto timer = measure(exec, 2, [&](auto& t) {
    t.time("kernel", [&] {
      Kokkos::parallel_for(
          "Trackplex::Test::work",
          Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace>(exec, 0, sums.extent_int(0)),
          KOKKOS_LAMBDA(int i) {
            for (int k = 0; k < 1000; ++k) sums(i) += 1. / (1. + k);
          });
    });
  });
  CHECK(spread(timer, "kernel").min > 0.);
}
