// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_test_macros.hpp>
#include <trackplex/perfmodel/decision.hpp>

using namespace trackplex::perfmodel;

namespace {

Forecast taking(DeviceKind kind, double seconds, double cores = 1.) {
  Forecast forecast;
  forecast.device = name_of(kind);
  forecast.kind = kind;
  forecast.cores = cores;
  forecast.expected.total = seconds;
  return forecast;
}

std::vector<Forecast> times(double cpu, double gpu, double fpga) {
  return {taking(DeviceKind::cpu, cpu), taking(DeviceKind::gpu, gpu),
          taking(DeviceKind::fpga, fpga)};
}

/// Exactly one miss rate is high.
Application undecided() {
  Application application;
  application.items = 1e6;
  application.branch_miss_rate = 0.5;
  return application;
}

bool says(const Decision& decision, const std::string& words) {
  for (const auto& step : decision.steps)
    if (step.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("latency and jitter ask for an FPGA", "[perfmodel]") {
  Application application;
  application.latency = 1e-7;
  CHECK(decide(application, {}).kind == DeviceKind::fpga);
  application.latency = 1e-3;
  CHECK(decide(application, {}).kind == DeviceKind::gpu);
  CHECK(decide(application, {}, {.ultra_low_latency = 1e-2}).kind == DeviceKind::fpga);
  application.latency = 0.;
  application.jitter_allowed = false;
  const auto decision = decide(application, {});
  CHECK(decision.kind == DeviceKind::fpga);
  CHECK(says(decision, "jitter"));
}

TEST_CASE("miss rates: both low, both high", "[perfmodel]") {
  Application application;
  CHECK(decide(application, {}).kind == DeviceKind::gpu);
  application.branch_miss_rate = application.cache_miss_rate = 0.02;
  CHECK(decide(application, {}).kind == DeviceKind::fpga);
  CHECK(decide(application, {}, {.high_branch_misses = 0.1, .high_cache_misses = 0.1}).kind ==
        DeviceKind::gpu);
}

TEST_CASE("one high miss rate: the forecasts decide", "[perfmodel]") {
  const auto application = undecided();
  const auto kind = [&](double cpu, double gpu, double fpga) {
    return decide(application, times(cpu, gpu, fpga)).kind;
  };
  CHECK(kind(10., 5., 0.5) == DeviceKind::fpga);  // 20 times the CPU
  CHECK(kind(10., 0.6, 0.5) == DeviceKind::gpu);  // similar: the GPU is easier
  CHECK(kind(10., 0.1, 0.5) == DeviceKind::gpu);  // faster
  CHECK(kind(10., 5., 2.) == DeviceKind::gpu);    // 5 times is not worth the effort
  CHECK(kind(10., 20., 2.) == DeviceKind::cpu);
  CHECK(decide(application, times(10., 20., 2.), {.fpga_gain = 4.}).kind == DeviceKind::fpga);
  CHECK(decide(application, times(10., 0.8, 0.5), {.similar = 2.}).kind == DeviceKind::gpu);
  const auto without = decide(application, {});
  CHECK_FALSE(without.kind);
  CHECK(says(without, "needs forecasts"));
  auto other = application;
  std::swap(other.branch_miss_rate, other.cache_miss_rate);
  CHECK(decide(other, times(10., 5., 0.5)).kind == DeviceKind::fpga);
}

TEST_CASE("without parallelism no GPU is considered", "[perfmodel]") {
  Application application;
  application.embarrassingly_parallel = false;
  CHECK(decide(application, times(10., 0.1, 0.5)).kind == DeviceKind::fpga);
  CHECK(decide(application, times(10., 0.1, 5.)).kind == DeviceKind::cpu);
}

TEST_CASE("a GPU wants ten work items per core", "[perfmodel]") {
  Application application;
  application.items = 1e4;
  const std::vector<Forecast> small{taking(DeviceKind::gpu, 1., 1000.)};
  const std::vector<Forecast> large{taking(DeviceKind::gpu, 1., 1001.)};
  CHECK_FALSE(says(decide(application, small), "warning"));
  CHECK(says(decide(application, large), "warning"));
  CHECK_FALSE(says(decide(application, large, {.items_per_core = 5.}), "warning"));
}

TEST_CASE("forecasts that speak against the tree are named", "[perfmodel]") {
  Application application;  // both miss rates are low
  application.items = 1e6;
  const auto slow = decide(application, times(1., 2., 3.));
  CHECK(slow.kind == DeviceKind::gpu);
  CHECK(says(slow, "warning: by its forecast, CPU takes 1 s and the best GPU 2 s"));
  CHECK_FALSE(says(decide(application, times(3., 2., 3.)), "warning"));
}
