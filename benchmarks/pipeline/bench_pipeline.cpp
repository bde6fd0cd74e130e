// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pipeline itself costs: batches whose processor does nothing, and batches that keep a
// thread busy, against the same work called directly.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <trackplex/core/enabled_spaces.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/pipeline/pipeline.hpp>
#include <vector>

namespace trackplex::pipeline {
namespace {

/// As programs have them: events are in memory already.
using Event = std::shared_ptr<const int>;

constexpr int batches = 1000;

/// Computes so many steps per event, one after the other, and does nothing else.
struct Busy {
  int steps = 0;
  std::size_t n = 0;
  std::uint64_t state = 1;

  void stage(std::span<const Event> events) { n = events.size(); }
  void run() {
    for (std::size_t i = 0; i < n * std::size_t(steps); ++i)
      state = state * 6364136223846793005u + 1442695040888963407u;
    benchmark::DoNotOptimize(state);
  }
  void collect(std::vector<int>& results) { results.resize(n, 1); }
};

long run_batches(const PipelineOptions& options, const Busy& processor) {
  const Event event = std::make_shared<const int>(1);
  int left = batches * options.events_per_batch;
  long sum = 0;
  const auto statistics = run_pipeline<Event, int>(
      HostExecutor(), options, [&](const auto&, int) { return processor; },
      [&](std::stop_token) -> std::optional<Event> {
        if (left-- == 0) return std::nullopt;
        return event;
      },
      [&](std::size_t, int&& result) { sum += result; }, [](const Failure&) {});
  return statistics.broken() ? 0 : sum;
}

void count(benchmark::State& state, const PipelineOptions& options) {
  const double events = double(batches) * options.events_per_batch;
  const auto inverse_rate =
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert;
  state.counters["s_per_batch"] = benchmark::Counter(batches, inverse_rate);
  state.counters["s_per_event"] = benchmark::Counter(events, inverse_rate);
}

PipelineOptions options_of(const benchmark::State& state) {
  PipelineOptions options;
  options.slots = int(state.range(0));
  options.events_per_batch = int(state.range(1));
  return options;
}

void empty_batches(benchmark::State& state) {
  const auto options = options_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(run_batches(options, Busy{}));
  count(state, options);
}
BENCHMARK(empty_batches)
    ->ArgNames({"slots", "events"})
    ->ArgsProduct({{1, 2, 4}, {1, 100}})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// About 10 us.
constexpr int steps_per_event = 7000;

void busy_batches(benchmark::State& state) {
  const auto options = options_of(state);
  for (auto _ : state) benchmark::DoNotOptimize(run_batches(options, Busy{steps_per_event}));
  count(state, options);
}
BENCHMARK(busy_batches)
    ->ArgNames({"slots", "events"})
    ->ArgsProduct({{1, 2, 4}, {100}})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void direct_calls(benchmark::State& state) {
  const auto options = options_of(state);
  const std::vector<Event> events(std::size_t(options.events_per_batch),
                                  std::make_shared<const int>(1));
  std::vector<int> results;
  Busy processor{steps_per_event};
  for (auto _ : state) {
    for (int batch = 0; batch < batches; ++batch) {
      results.clear();
      processor.stage(events);
      processor.run();
      processor.collect(results);
      benchmark::DoNotOptimize(results.data());
    }
  }
  count(state, options);
}
BENCHMARK(direct_calls)
    ->ArgNames({"slots", "events"})
    ->Args({1, 100})
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trackplex::pipeline
