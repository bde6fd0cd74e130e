// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The published worked example, its tables and all figures on the way to them; where the
// publication does not agree with itself, both numbers.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <trackplex/perfmodel/decision.hpp>
#include <trackplex/perfmodel/device_library.hpp>
#include <trackplex/perfmodel/equations.hpp>
#include <trackplex/perfmodel/published_example.hpp>

using namespace trackplex::perfmodel;
using Catch::Approx;
using Catch::Matchers::WithinRel;

namespace {

constexpr double histories = 1e8, clock_hz = 1.455e9, cores = 5120., eta = 0.0625;

double milliseconds(double instructions, double efficiency) {
  return 1e3 * compute_time(histories, instructions, efficiency, clock_hz, cores);
}

Forecast on(const char* device, const Application& application = published_application()) {
  return forecast(application, device_named(device_library(), device));
}

/// Equal to the digits that are given.
Approx to(double value, double margin) { return Approx(value).epsilon(0.).margin(margin); }

}  // namespace

TEST_CASE("Table 1: the range of the GPU", "[perfmodel]") {
  const struct {
    double instructions, printed, divided, as_printed, without_divergence;
  } rows[] = {{2500., 537., 536.942, 2.097, 33.56},
              {5000., 1074., 1073.883, 4.195, 67.12},
              {10000., 2148., 2147.766, 8.390, 134.23}};
  for (const auto& row : rows) {
    CHECK(milliseconds(row.instructions, eta) == to(row.printed, 0.5));
    CHECK(milliseconds(row.instructions, eta) == to(row.divided, 5e-4));
    CHECK(milliseconds(row.instructions, 1.) == to(row.without_divergence, 6e-3));
    // (2.4) as printed multiplies by eta: off by its square
    const double wrong =
        1e3 * compute_time_as_printed(histories, row.instructions, eta, clock_hz, cores);
    CHECK(wrong == to(row.as_printed, 5e-4));
    CHECK_THAT(wrong, WithinRel(milliseconds(row.instructions, eta) * eta * eta, 1e-14));
  }
  const auto gpu = on("V100");
  CHECK(gpu.efficiency == eta);
  CHECK(1e3 * gpu.best.total == to(536.942, 5e-4));
  CHECK(1e3 * gpu.expected.total == to(1073.883, 5e-4));
  CHECK(1e3 * gpu.worst.total == to(2147.766, 5e-4));
  CHECK(gpu.expected.dominant() == std::string("compute"));
  // the transfer of two histograms hides behind the computing
  CHECK_THAT(gpu.expected.link, WithinRel(2416. / (16e9 * 128. / 130.), 1e-14));
  CHECK(1e3 * on("H200").expected.total == to(239., 0.5));
}

TEST_CASE("the FPGA: area, pipeline and the work of the host", "[perfmodel]") {
  const auto fpga = on("VU9P");
  CHECK(1e3 * fpga.expected.compute == Approx(1150.).epsilon(1e-12));
  CHECK(1e3 * fpga.expected.host == Approx(198.).epsilon(1e-12));
  CHECK(1e3 * fpga.expected.total == Approx(1348.).epsilon(1e-12));
  CHECK(fpga.worst.total == fpga.best.total);
  REQUIRE(fpga.fit);
  CHECK(fpga.fit->dsp_share == to(127. / 6840., 1e-12));
  CHECK(fpga.fit->dsp_share == to(0.0186, 5e-5));
  CHECK(fpga.fit->memory_share == to(0.0290, 5e-5));
  CHECK(fpga.fit->instances == 15.);
  CHECK(fpga.fit->max_by_memory == 17.);
  CHECK(fpga.fit->max_by_dsp == 43.);

  auto application = published_application();
  application.fpga.instances = 0.;  // as many as fit
  CHECK(on("VU9P", application).fit->instances == 17.);
  application.fpga.memory_bits = 0.0335 * 345e6;  // what 3.35 % would be
  CHECK(application.fpga.memory_bits == to(11.56e6, 5e3));
  CHECK(on("VU9P", application).fit->instances == 14.);

  // forecast against the measurement
  CHECK(fpga.expected.total / 1.321 - 1. == to(0.0204, 5e-5));
  CHECK(published_application().streams[0].bytes == 2416.);
}

TEST_CASE("DSP blocks of floating-point operations", "[perfmodel]") {
  const FpgaArea area = device_named(device_library(), "VU9P").fpga;
  const auto blocks = [&](const Operations& operations) {
    Application application;
    application.loops = {Loop{.operations = operations}};
    return trackplex::perfmodel::detail::dsp_blocks(application, area);
  };
  CHECK(blocks({.add = 1}) == 2.);
  CHECK(blocks({.multiply = 1}) == 3.);
  CHECK(blocks({.fma = 2}) == 10.);
  CHECK_THROWS_AS(blocks({.special = 1}), trackplex::UsageError);
}

TEST_CASE("Table 2: speed-ups and prices", "[perfmodel]") {
  const auto measured = published_measurements();
  const auto speedup = [&](int i) { return measured[0].time / measured[std::size_t(i)].time; };
  CHECK(speedup(1) == to(6.430, 5e-4));  // printed: 6.42
  CHECK(speedup(2) == to(9.958, 5e-4));  // printed: 9.95
  CHECK(speedup(1) == to(measured[1].printed_speedup, 0.011));
  CHECK(speedup(2) == to(measured[2].printed_speedup, 0.011));
  CHECK(measured[1].relative_price() == to(4.01, 5e-3));
  CHECK(measured[2].relative_price() == to(2.83, 5e-3));
  CHECK(measured[0].time / 0.873 == to(9.73, 5e-3));  // the other time of the V100

  // the forecast of the GPU is 23 to 26 % too long, and the measurements lie inside its range
  const auto gpu = on("V100");
  CHECK(gpu.expected.total / 0.873 - 1. == to(0.230, 5e-4));
  CHECK(gpu.expected.total / 0.853 - 1. == to(0.259, 5e-4));
  CHECK(gpu.best.total < 0.853);
  CHECK(0.873 < gpu.worst.total);
}

TEST_CASE("the rules for eta disagree", "[perfmodel]") {
  CHECK(efficiency_of_branch_count(16) == eta);
  CHECK(efficiency_of_nested_branches(4) == eta);
  CHECK(milliseconds(5000., efficiency_of_nested_branches(16)) == to(4399e3, 500.));

  auto application = published_application();
  for (const auto rule : {Divergence::Rule::given, Divergence::Rule::nested_branches,
                          Divergence::Rule::branch_count}) {
    application.divergence.rule = rule;
    CHECK(on("V100", application).efficiency == eta);
  }
  // from the distribution of the steps, with the instructions of the compiled kernel
  application.divergence.rule = Divergence::Rule::trip_counts;
  application.loops[0].instructions = 5600. / 34.5;
  const auto gpu = on("V100", application);
  CHECK(gpu.efficiency == to(0.7335, 5e-5));
  CHECK(1e3 * gpu.expected.total == to(102., 0.5));
}

TEST_CASE("the list of inconsistencies holds the computed numbers", "[perfmodel]") {
  std::string all;
  for (const auto& i : published_inconsistencies()) all += i.printed + " | " + i.computed + "\n";
  for (const char* number : {"4.195 ms", "1074 ms", "4398625 ms", "0.7335", "873 ms", "853 ms",
                             "9.73", "9.96", "3.35 %", "2.90 %", "11.56 Mb", "17 from", "14 from"})
    CHECK(all.find(number) != std::string::npos);
}

TEST_CASE("PCI Express", "[perfmodel]") {
  for (const int generation : {1, 2}) CHECK(pcie_encoding(generation) == 0.8);
  for (const int generation : {3, 4}) CHECK(1. - pcie_encoding(generation) == to(0.015, 5e-4));
  CHECK(pcie(4, 16).rate(1e6) == to(31.5e9, 5e7));
  CHECK(pcie(1, 16).rate(1e6) == 4e9);
  CHECK_THROWS_AS(pcie(9, 16), trackplex::UsageError);
  const auto card = device_named(device_library(), "RTX 3090 Ti");
  CHECK(card.link.efficiency(1e6) == to(0.571, 5e-4));
  CHECK(card.link.rate(1e6) == to(18e9, 1e7));
}

TEST_CASE("both miss rates are low: a GPU", "[perfmodel]") {
  const auto decision = decide(published_application(), {on("V100")});
  CHECK(decision.kind == DeviceKind::gpu);
}
