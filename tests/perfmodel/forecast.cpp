// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <set>
#include <trackplex/core/counted.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/perfmodel/device_library.hpp>
#include <trackplex/perfmodel/equations.hpp>
#include <trackplex/perfmodel/forecast.hpp>

using namespace trackplex;
using namespace trackplex::perfmodel;
using Catch::Approx;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

namespace {

/// 1e6 items with 100 fma each.
Application fma_loop() {
  Application application;
  application.name = "fma";
  application.items = 1e6;
  application.loops = {Loop{.trip_count = {.fixed = 100.}, .operations = {.fma = 1}}};
  return application;
}

Device small_gpu() {
  return {.name = "small",
          .kind = DeviceKind::gpu,
          .clock = 1e9,
          .cores = 100.,
          .group = 32,
          .peak = {.fp32 = 2e11, .fp64 = 1e11},
          .memory = {.bandwidth = 1e10},
          .link = {.bandwidth = 1e9},
          .start = 0.25};
}

Stream stream(Path path, Direction direction, double bytes_per_item) {
  return {.path = path, .direction = direction, .bytes_per_item = bytes_per_item};
}

}  // namespace

TEST_CASE("(2.1): links are duplex, memories are shared", "[perfmodel]") {
  const Channel channel{.bandwidth = 1e9, .encoding = 0.5};
  const std::vector<Stream> streams{stream(Path::link, Direction::to_device, 3.),
                                    stream(Path::link, Direction::from_device, 5.),
                                    stream(Path::memory, Direction::to_device, 7.),
                                    stream(Path::memory, Direction::from_device, 11.)};
  CHECK_THAT(transfer_time(streams, Path::link, 1e6, channel), WithinRel(5e6 / 0.5e9, 1e-14));
  CHECK_THAT(transfer_time(streams, Path::memory, 1e6, channel), WithinRel(18e6 / 0.5e9, 1e-14));
  CHECK_THROWS_AS(transfer_time(streams, Path::memory, 1e6, Channel{}), UsageError);
  CHECK(transfer_time({}, Path::memory, 1e6, Channel{}) == 0.);
}

TEST_CASE("(2.1): small transfers are slow", "[perfmodel]") {
  const auto ddr4 = device_named(device_library(), "VU9P").memory;
  CHECK(ddr4.efficiency(8.) == 0.2);
  CHECK_THAT(ddr4.efficiency(640.), WithinRel(0.8, 1e-14));
  CHECK_THAT(ddr4.efficiency(64. * std::sqrt(10.)),
             WithinRel(0.5, 1e-14));  // half way in the logarithm
  CHECK_THAT(ddr4.efficiency(6400.), WithinRel(0.9, 1e-14));
  CHECK(ddr4.efficiency(1e9) == 0.9);
  CHECK_THAT(transfer_time(1e9, 64., ddr4), WithinRel(4. * transfer_time(1e9, 640., ddr4), 1e-14));
  CHECK_THAT(transfer_time(1e9, 0., ddr4), WithinRel(1e9 / (0.9 * 76.8e9), 1e-14));  // all at once
}

TEST_CASE("(2.2): memory blocks", "[perfmodel]") {
  const MemoryShape block{36, 1024, 2};
  CHECK(memory_blocks({64, 302, 2}, block) == 2.);
  CHECK(memory_blocks({36, 1024, 2}, block) == 1.);
  CHECK(memory_blocks({37, 1025, 3}, block) == 8.);

  Application application = fma_loop();
  application.fpga.memories = {{"histogram", {64, 302, 2}}};
  const FpgaArea area{.dsp = 100, .memory_bits = 1e6, .block = block};
  const auto fit = fit_on_fpga(application, area);
  CHECK(fit.memory_bits == 2. * 36. * 1024.);
  CHECK(fit.dsp == 5.);
  CHECK(fit.instances == std::floor(0.5e6 / (2. * 36. * 1024.)));
  CHECK_THROWS_AS(fit_on_fpga(application, {.dsp = 100, .memory_bits = 1e5, .block = block}),
                  UsageError);
  CHECK_THROWS_AS(fit_on_fpga(Application{}, area), UsageError);
}

TEST_CASE("(2.3): pipelines", "[perfmodel]") {
  CHECK_THAT(pipeline_time(1e6, 10., 5., 1e8), WithinRel(0.02, 1e-14));
}

TEST_CASE("(2.5) and (2.6): overlap", "[perfmodel]") {
  CHECK(total_time(1., 2., 4., 0.) == 7.);
  CHECK(total_time(1., 2., 4., 1.) == 4.);
  CHECK(total_time(1., 2., 4., 0.5) == 5.5);

  auto application = fma_loop();
  application.streams = {stream(Path::memory, Direction::to_device, 40.),
                         stream(Path::link, Direction::to_device, 40.)};
  const auto gpu = forecast(application, small_gpu());
  CHECK_THAT(gpu.expected.compute, WithinRel(1e-3, 1e-14));
  CHECK_THAT(gpu.expected.memory, WithinRel(4e-3, 1e-14));
  CHECK_THAT(gpu.expected.link, WithinRel(40e-3, 1e-14));
  CHECK_THAT(gpu.expected.total, WithinRel(40e-3, 1e-14));
  CHECK(gpu.expected.dominant() == std::string("link"));
  CHECK(gpu.worst.total == gpu.best.total);  // the link decides
  CHECK_THAT(gpu.worst.compute, WithinRel(4. * gpu.best.compute, 1e-14));
  application.overlap = 0.;
  CHECK_THAT(forecast(application, small_gpu()).expected.total, WithinRel(45e-3, 1e-14));
  CHECK_THAT(forecast(application, small_gpu(), {.with_start = true}).expected.total,
             WithinRel(0.295, 1e-14));
  // data need not come to a CPU
  auto cpu = small_gpu();
  cpu.kind = DeviceKind::cpu;
  CHECK_THAT(forecast(application, cpu).expected.total, WithinRel(5e-3, 1e-14));
}

TEST_CASE("figures that make no sense are refused by name", "[perfmodel]") {
  auto application = fma_loop();
  auto device = small_gpu();
  device.clock = 0.;
  CHECK_THROWS_AS(forecast(application, device), UsageError);
  application.items = -1.;
  CHECK_THROWS_AS(forecast(application, small_gpu()), UsageError);
  application = fma_loop();
  application.loops[0].operations = {};
  CHECK_THROWS_AS(forecast(application, small_gpu()), UsageError);
  application = fma_loop();
  application.divergence = {.rule = Divergence::Rule::given, .efficiency = 0.};
  CHECK_THROWS_AS(forecast(application, small_gpu()), UsageError);
}

TEST_CASE("the roofline", "[perfmodel]") {
  auto application = fma_loop();
  application.streams = {stream(Path::memory, Direction::to_device, 40.)};
  auto roof = roofline_of(application, small_gpu());
  CHECK_THAT(roof.intensity(), WithinRel(5., 1e-14));
  CHECK_THAT(roof.attainable, WithinRel(5e10, 1e-14));  // below the ridge at 20 flop per byte
  CHECK_THAT(roof.time, WithinRel(4e-3, 1e-14));
  CHECK_THAT(roof.flops / roof.time, WithinRel(roof.attainable, 1e-14));
  application.streams[0].bytes_per_item = 4.;
  roof = roofline_of(application, small_gpu());
  CHECK(roof.attainable == 2e11);
  CHECK_THAT(roof.time, WithinRel(1e-3, 1e-14));
  application.double_precision = true;
  CHECK_THAT(roofline_of(application, small_gpu()).time, WithinRel(2e-3, 1e-14));
  CHECK_FALSE(roofline_of(application, Device{}).known());
}

TEST_CASE("operations by kind against their pipelines", "[perfmodel]") {
  // 1e8 histories on an H200, per step: 45 flops, 6 special functions, 3 x 32 random bits in 40
  // integer instructions, 95 instructions in all
  Application coulomb;
  coulomb.name = "Coulomb";
  coulomb.items = 1e8;
  coulomb.loops = {Loop{.trip_count = {.fixed = 1., .poisson = 33.5},
                        .instructions = 95.,
                        .operations = {.fma = 22.5, .special = 6., .integer = 40.}}};
  const auto h200 = forecast(coulomb, device_named(device_library(), "H200"));
  REQUIRE(h200.limits);
  CHECK_THAT(1e3 * h200.limits->arithmetic, WithinAbs(2.3, 0.05));
  CHECK_THAT(1e3 * h200.limits->special, WithinAbs(4.95, 0.05));
  CHECK_THAT(1e3 * h200.limits->integer, WithinAbs(8.25, 0.05));
  CHECK_THAT(1e3 * h200.limits->instructions, WithinAbs(9.8, 0.05));
  CHECK(h200.limits->limit() == std::string("instructions"));
  CHECK_THAT(h200.overlapped.total, WithinRel(h200.limits->overlapped() / h200.efficiency, 1e-14));
  CHECK_THAT(1e3 * h200.overlapped.total, WithinAbs(13.4, 0.05));
  const auto& l = *h200.limits;
  CHECK_THAT(h200.in_turn.total,
             WithinRel((l.arithmetic + l.special + l.integer) / h200.efficiency, 1e-14));
  CHECK(h200.in_turn.total > h200.overlapped.total);
  coulomb.divergence.items_per_lane = 64;
  CHECK_THAT(1e3 * forecast(coulomb, device_named(device_library(), "H200")).overlapped.total,
             WithinAbs(10.2, 0.05));
  // no operations by kind, no such estimate
  coulomb.loops[0].operations = {};
  CHECK_FALSE(forecast(coulomb, device_named(device_library(), "H200")).limits);
}

TEST_CASE("what no pipeline is known for is done by instructions", "[perfmodel]") {
  auto application = fma_loop();
  application.loops[0].operations = {.fma = 1, .divide = 1, .special = 1};
  auto limits = kind_limits(application, small_gpu());
  REQUIRE(limits);
  CHECK_THAT(limits->arithmetic, WithinRel(31e-3, 1e-14));
  auto device = small_gpu();
  device.peak.division = 1e9;
  device.peak.special = 1e10;
  limits = kind_limits(application, device);
  CHECK_THAT(limits->arithmetic, WithinRel(1e-3, 1e-14));
  CHECK_THAT(limits->division, WithinRel(0.1, 1e-14));
  CHECK_THAT(limits->special, WithinRel(0.01, 1e-14));
  CHECK(limits->limit() == std::string("division"));
  application.double_precision = true;
  CHECK_THAT(kind_limits(application, device)->division, WithinRel(0.2, 1e-14));
}

TEST_CASE("counts of core's counting number type", "[perfmodel]") {
  const auto counts = count_operations([] {
    const float memory[2] = {1.f, 2.f};
    float result;
    using Real = Counted<float>;
    const Real a = load<Real>(memory), b = load<Real>(memory + 1);
    store(&result, select(a < b, fma(a, b, sqrt(b)), a / b - b) + a * b);
  });
  const auto operations = operations_of(counts);
  CHECK(operations == Operations{.add = 2,
                                 .multiply = 1,
                                 .fma = 1,
                                 .divide = 1,
                                 .sqrt = 1,
                                 .logic = 2,
                                 .load = 2,
                                 .store = 1});
  CHECK(operations.flops() == double(counts.flops()));
  CHECK(instructions(operations) == 11.);
  // elementary functions of core are polynomials, and counted as such
  const auto exponential = operations_of(count_operations([] { (void)exp(Counted<float>(1.f)); }));
  CHECK(exponential.special == 0.);
  CHECK(exponential.fma > 4.);
}

TEST_CASE("the device library", "[perfmodel]") {
  const auto devices = device_library();
  std::set<std::string> names;
  for (const auto& device : devices) {
    INFO(device.name);
    CHECK(names.insert(device.name).second);
    CHECK_FALSE(device.source.empty());
    CHECK(device.clock > 1e8);
    if (device.kind != DeviceKind::fpga) {
      CHECK(device.memory.bandwidth > 1e11);
      // the peak is 2 flop per core and cycle of a GPU; of a CPU a multiple of it
      const double per_cycle = device.peak.fp32 / device.cores / device.clock;
      if (device.kind == DeviceKind::gpu)
        CHECK(per_cycle == Approx(2.).epsilon(0.06));
      else
        CHECK((per_cycle == 16. || per_cycle == 32.));
    }
    if (device.kind == DeviceKind::gpu) CHECK(device.link.bandwidth > 1e10);
  }
  for (const char* name :
       {"V100", "A100", "H200", "MI250", "RTX 3090 Ti", "EPYC 7551 x2", "EPYC 7763", "VU9P"})
    CHECK(device_named(devices, name).name == name);
  CHECK_THROWS_AS(device_named(devices, "abacus"), UsageError);
}
