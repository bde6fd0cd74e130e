// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/timing.hpp>
#include <trackplex/perfmodel/measured_host.hpp>

#include <algorithm>

namespace forecast {

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

program::Json compare(const Kernel& kernel, const perfmodel::Device& core, bool from_memory,
                      int repeat) {
  const int bytes_per_tile = 4 * lanes * (kernel.inputs + kernel.outputs);
  const int tiles = std::max(1, (from_memory ? bytes_in_memory : bytes_in_cache) / bytes_per_tile);
  const int passes = from_memory ? 1 : std::max(1, 200000 / (tiles * lanes));
  const auto in = inputs(kernel, tiles);
  const Buffer out("Trackplex::Forecast::out",
                   std::size_t(tiles) * std::size_t(kernel.outputs * lanes));
  std::vector<double> seconds;
  for (int n = 0; n <= repeat; ++n) {
    const double start = perfmodel::thread_seconds();
    for (int pass = 0; pass < passes; ++pass) kernel.run(in.data(), out.data(), tiles);
    if (n > 0)
      seconds.push_back(perfmodel::thread_seconds() - start);  // the first one is the warm-up
  }
  const double items = double(passes) * tiles * lanes, ns = 1e9 / items;
  auto application = application_of(kernel, items, from_memory);
  application.overlap = 0.;  // one core waits for its data
  const auto forecast = perfmodel::forecast(application, core);
  if (!forecast.limits)
    throw UsageError(core.name, "no peak rate is known", {}, "choose another device");
  const auto measured = program::spread_of(seconds);
  return {{"kernel", kernel.name},
          {"data_in", from_memory ? "memory" : "cache"},
          {"items", items},
          {"best_ns", ns * forecast.best.total},
          {"expected_ns", ns * forecast.expected.total},
          {"worst_ns", ns * forecast.worst.total},
          {"by_kind_overlapped_ns", ns * forecast.overlapped.total},
          {"by_kind_in_turn_ns", ns * forecast.in_turn.total},
          {"measured_ns", ns * measured.median},
          {"lower_quartile_ns", ns * measured.lower_quartile},
          {"upper_quartile_ns", ns * measured.upper_quartile},
          {"error_of_equations", forecast.expected.total / measured.median - 1.},
          {"error", forecast.in_turn.total / measured.median - 1.},
          {"flops_per_ns", 1e-9 * forecast.roofline.flops / measured.median}};
}

}  // namespace

program::Json measure_kernels(const std::vector<Kernel>& kernels, const perfmodel::Device& core,
                              int repeat, const std::function<void()>& after_each) {
  auto comparisons = program::Json::array();
  for (const auto& kernel : kernels)
    for (const bool from_memory : {false, true}) {
      comparisons.push_back(compare(kernel, core, from_memory, repeat));
      after_each();
    }
  return comparisons;
}

std::string comparison_table(const program::Json& comparisons) {
  return program::table_of(comparisons,
                           {{"ns per work item", "kernel"},
                            {"data in", "data_in"},
                            {"(2.4) best..worst", "best_ns worst_ns", "{:.2f}..{:.2f}"},
                            {"error", "error_of_equations", "{:+.0f} %", 100.},
                            {"by kind", "by_kind_in_turn_ns", "{:.2f}"},
                            {"error", "error", "{:+.0f} %", 100.},
                            {"measured", "measured_ns", "{:.2f}"},
                            {"quartiles", "lower_quartile_ns upper_quartile_ns", "{:.2f}..{:.2f}"},
                            {"flop/ns", "flops_per_ns", "{:.1f}"}}) +
         "(2.4): an instruction per cycle on all lanes, error of the middle value;\n"
         "by kind: operations at their measured rates, in turn; measured: CPU time, median\n";
}

}  // namespace forecast
