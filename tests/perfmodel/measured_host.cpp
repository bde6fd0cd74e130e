// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <trackplex/core/host_executor.hpp>
#include <trackplex/perfmodel/device_library.hpp>
#include <trackplex/perfmodel/measured_host.hpp>

#include <catch2/catch_test_macros.hpp>

using namespace trackplex;
using namespace trackplex::perfmodel;

TEST_CASE("A core of this machine has rates that a core can have", "[measured_host]") {
  const auto host = measured_host();
  CHECK(host.kind == DeviceKind::cpu);
  CHECK(host.clock > 1e7);
  CHECK(host.clock < 1e11);
  CHECK(host.cores == default_lane_width<HostExecutor, float>);
  const auto& peak = host.peak;
  for (const double rate : {peak.fp32, peak.division, peak.logic, peak.load, peak.store,
                            peak.instructions, host.memory.bandwidth}) {
    CHECK(rate > 1e6);
    CHECK(rate < 1e14);
  }
}

TEST_CASE("A core has its part of the rates, and the memory to itself", "[measured_host]") {
  const auto cpu = device_named(device_library(), "EPYC 7763");
  const auto core = one_core_of(cpu);
  CHECK(core.name == "EPYC 7763, one core");
  CHECK(core.clock == cpu.clock);
  CHECK(core.peak.fp32 == cpu.peak.fp32 / cpu.cores);
  CHECK(core.memory.bandwidth == cpu.memory.bandwidth);
}

TEST_CASE("The time of a thread goes on while it works", "[measured_host]") {
  const double begin = thread_seconds();
  volatile double sum = 0.;
  for (int i = 0; i < 3'000'000; ++i) sum = sum + i;
  CHECK(thread_seconds() > begin);
}
