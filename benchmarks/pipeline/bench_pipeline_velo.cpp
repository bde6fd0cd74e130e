// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VELO tracks by direct calls and through the pipeline, from events in memory to lists of tracks:
// throughput for slots and events per batch, the same work in the same order. On LHCb's simulated
// events where TRACKPLEX_DATA has them, else on generated ones. Goals: on one thread the pipeline
// costs at most 2 % of the direct calls; where several events are in flight, two threads are at
// least 1.9 times as fast as one.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <trackplex/io/lhcb/velo_json.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/pipeline/pipeline.hpp>
#include <trackplex/simulation/velo_generator.hpp>
#include <type_traits>
#include <vector>

namespace trackplex {
namespace {

using lhcb::VeloEvent;
using lhcb::VeloResult;
using Events = std::vector<VeloEvent>;

Events input_events() {
  const char* root = std::getenv("TRACKPLEX_DATA");
  const auto folder = (root ? std::filesystem::path(root)
                            : std::filesystem::path(TRACKPLEX_SOURCE_DIR) / "../shared/data") /
                      "lhcb-velo-json" / "minibias";
  Events events;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& file : io::velo_event_files(folder))
      events.push_back(io::read_velo_event(file));
  } else {
    const simulation::VeloGenerator generate;
    for (std::uint64_t i = 0; i < 500; ++i) events.push_back(generate(i));
  }
  return events;
}

lhcb::TripletParams params() { return lhcb::velo_params(lhcb::VeloConstants::y2023); }

/// Events of an iteration, in whole batches: a second of work or so on one thread.
std::size_t events_of_iteration(int batch) { return std::size_t(std::max(4 * batch, 2000)); }

void report(benchmark::State& state, std::size_t events, double seconds) {
  state.SetIterationTime(seconds);
  state.counters["events_per_s"] =
      benchmark::Counter(double(events), benchmark::Counter::kIsIterationInvariantRate);
}

/// Batch after batch: pack and copy in, reconstruct, copy back and take apart.
template <class Space>
void direct(benchmark::State& state, const Events& events, int batch) {
  auto find_tracks = lhcb::velo_chain<float>(Space(), params());
  // A batch of copies of the events, as many as it takes.
  Events some;
  for (int i = 0; i < batch; ++i) some.push_back(events[std::size_t(i) % events.size()]);
  const std::size_t n = events_of_iteration(batch);
  for (auto _ : state) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::size_t done = 0; done < n; done += std::size_t(batch)) {
      const auto results = find_tracks(some);
      benchmark::DoNotOptimize(results.data());
    }
    report(state, n,
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
}

template <class Space>
void pipelined(benchmark::State& state, const Events& events, int slots, int batch) {
  pipeline::PipelineOptions options;
  options.slots = slots;
  options.events_per_batch = batch;
  constexpr std::size_t memory = std::size_t(512) << 20;  // of each slot
  // So many at most are in flight, before and after those that are timed.
  const auto in_flight = std::size_t(slots + 4) * std::size_t(batch);
  const std::size_t n = events_of_iteration(batch);
  using Clock = std::chrono::steady_clock;
  using Event = std::shared_ptr<const VeloEvent>;
  const auto make = [](const Space& instance, int) {
    using Chain = decltype(lhcb::velo_chain<float>(instance, params(), chain::ArenaSize{}));
    return std::make_unique<Chain>(
        lhcb::velo_chain<float>(instance, params(), chain::ArenaSize{memory, memory}));
  };
  for (auto _ : state) {
    Clock::time_point begin, end;
    const auto read = [&, i = std::size_t(0)](std::stop_token) mutable -> std::optional<Event> {
      if (i == in_flight + n + in_flight) return std::nullopt;
      // The same events in each batch as those of the direct calls.
      const auto in_batch = i++ % std::size_t(batch);
      return Event(std::shared_ptr<void>(), &events[in_batch % events.size()]);
    };
    const auto write = [&](std::size_t event, VeloResult&&) {
      if (event + 1 == in_flight) begin = Clock::now();
      if (event + 1 == in_flight + n) end = Clock::now();
    };
    const auto statistics = pipeline::run_pipeline<Event, VeloResult>(
        Space(), options, make, read, write, [](const pipeline::Failure&) {});
    if (statistics.events_failed > 0 || statistics.broken()) state.SkipWithError("events failed");
    report(state, n, std::chrono::duration<double>(end - begin).count());
  }
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(std::move(run)))
      ->Unit(benchmark::kMillisecond)
      ->UseManualTime();
}

template <class Space>
void add_space(const Events& events) {
  const std::string space = bench::backend_name<Space>();
  for (const int batch : {100, 1000}) {
    const std::string name = "pipeline_velo/" + space + "/batch:" + std::to_string(batch) + "/";
    add(name + "direct", [&events, batch](auto& state) { direct<Space>(state, events, batch); });
    for (const int slots : {1, 2, 4})
      add(name + "slots:" + std::to_string(slots),
          [&events, slots, batch](auto& state) { pipelined<Space>(state, events, slots, batch); });
  }
}

const bool registered = [] {
  static const Events events = input_events();
  bench::for_each_backend([]<class Space>(std::type_identity<Space>) { add_space<Space>(events); });
  return true;
}();

}  // namespace
}  // namespace trackplex
