// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "measure.hpp"

#include "cpu_time.hpp"

#include <common/table.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace forecast {

namespace program = trackplex::program;

namespace {

constexpr int bytes_in_cache = 12 << 10, bytes_in_memory = 96 << 20;

/// The inputs of all tiles, each item a little different from the others.
Buffer inputs(const Kernel& kernel, int tiles) {
  const Buffer in("Trackplex::Forecast::in",
                  std::size_t(tiles) * std::size_t(kernel.inputs * lanes));
  float* next = in.data();
  for (int tile = 0; tile < tiles; ++tile)
    for (const float typical : kernel.typical)
      for (int lane = 0; lane < lanes; ++lane)
        *next++ = typical * (1.f + 0.01f * float((37 * (tile * lanes + lane)) % 101));
  return in;
}

Comparison compare(const Kernel& kernel, const trackplex::perfmodel::Device& core, bool from_memory,
                   int repeat) {
  const int bytes_per_tile = 4 * lanes * (kernel.inputs + kernel.outputs);
  const int tiles = std::max(1, (from_memory ? bytes_in_memory : bytes_in_cache) / bytes_per_tile);
  const int passes = from_memory ? 1 : std::max(1, 200000 / (tiles * lanes));
  const auto in = inputs(kernel, tiles);
  const Buffer out("Trackplex::Forecast::out",
                   std::size_t(tiles) * std::size_t(kernel.outputs * lanes));
  std::vector<double> seconds;
  for (int n = 0; n <= repeat; ++n) {
    const double start = cpu_time();
    for (int pass = 0; pass < passes; ++pass) kernel.run(in.data(), out.data(), tiles);
    if (n > 0) seconds.push_back(cpu_time() - start);  // the first one is the warm-up
  }
  Comparison result;
  result.kernel = kernel.name;
  result.from_memory = from_memory;
  result.items = double(passes) * tiles * lanes;
  auto application = application_of(kernel, result.items, from_memory);
  application.overlap = 0.;  // one core waits for its data
  result.forecast = trackplex::perfmodel::forecast(application, core);
  if (!result.forecast.limits)
    throw trackplex::UsageError(core.name, "no peak rate is known", {}, "choose another device");
  result.seconds = program::spread_of(seconds);
  return result;
}

const char* where(const Comparison& c) { return c.from_memory ? "memory" : "cache"; }

}  // namespace

std::vector<Comparison> measure_kernels(const std::vector<Kernel>& kernels,
                                        const trackplex::perfmodel::Device& core, int repeat,
                                        const std::function<void()>& after_each) {
  std::vector<Comparison> comparisons;
  for (const auto& kernel : kernels)
    for (const bool from_memory : {false, true}) {
      comparisons.push_back(compare(kernel, core, from_memory, repeat));
      after_each();
    }
  return comparisons;
}

std::string comparison_table(const std::vector<Comparison>& comparisons) {
  program::Table table({"ns per work item", "data in", "(2.4) best..worst", "error", "by kind",
                        "error", "measured", "quartiles", "flop/ns"});
  for (const auto& c : comparisons) {
    const double ns = 1e9 / c.items;
    table.add_row(
        {c.kernel, where(c),
         fmt::format("{:.2f}..{:.2f}", ns * c.forecast.best.total, ns * c.forecast.worst.total),
         fmt::format("{:+.0f} %", 100. * c.error_of_equations()),
         fmt::format("{:.2f}", c.forecast_ns()), fmt::format("{:+.0f} %", 100. * c.error()),
         fmt::format("{:.2f}", c.measured_ns()),
         fmt::format("{:.2f}..{:.2f}", ns * c.seconds.lower_quartile,
                     ns * c.seconds.upper_quartile),
         fmt::format("{:.1f}", 1e-9 * c.forecast.roofline.flops / c.seconds.median)});
  }
  return table.text() +
         "(2.4): an instruction per cycle on all lanes, with the error of its middle;\n"
         "by kind: operations at their measured rates, in turn; measured: processor time, median\n";
}

program::Json to_json(const std::vector<Comparison>& comparisons) {
  program::Json list = program::Json::array();
  for (const auto& c : comparisons) {
    const double ns = 1e9 / c.items;
    list.push_back({{"kernel", c.kernel},
                    {"data_in", where(c)},
                    {"items", c.items},
                    {"best_ns", ns * c.forecast.best.total},
                    {"expected_ns", ns * c.forecast.expected.total},
                    {"worst_ns", ns * c.forecast.worst.total},
                    {"by_kind_overlapped_ns", ns * c.forecast.overlapped.total},
                    {"by_kind_in_turn_ns", c.forecast_ns()},
                    {"measured_ns", c.measured_ns()},
                    {"lower_quartile_ns", ns * c.seconds.lower_quartile},
                    {"upper_quartile_ns", ns * c.seconds.upper_quartile},
                    {"error_of_equations", c.error_of_equations()},
                    {"error", c.error()}});
  }
  return list;
}

}  // namespace forecast
