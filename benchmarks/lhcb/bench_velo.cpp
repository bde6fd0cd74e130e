// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// VELO tracks from unsorted hits: time per event of each step, for backends, lanes and cuts, and
// how the time grows with the hits of an event. On LHCb's simulated events where TRACKPLEX_DATA has
// them, else on generated ones. Goal: 100 us an event of the minibias set on one core of a Zen 3
// class machine (LHCb's own code, compiled for the CPU: 403 us), and two threads at least 1.8 times
// as fast.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <trackplex/io/lhcb/velo_json.hpp>
#include <trackplex/lhcb/velo/velo_chain.hpp>
#include <trackplex/simulation/velo_generator.hpp>
#include <vector>

namespace trackplex {
namespace {

using Events = std::vector<lhcb::VeloEvent>;
using lhcb::VeloConstants;

Events read_events(const std::string& set) {
  const char* root = std::getenv("TRACKPLEX_DATA");
  const auto folder = (root ? std::filesystem::path(root)
                            : std::filesystem::path(TRACKPLEX_SOURCE_DIR) / "../shared/data") /
                      "lhcb-velo-json" / set;
  Events events;
  if (!std::filesystem::is_directory(folder)) return events;
  for (const auto& file : io::velo_event_files(folder)) events.push_back(io::read_velo_event(file));
  return events;
}

Events generate_events(double mean_vertices, int n) {
  simulation::VeloGeneratorParams params;
  params.mean_vertices = mean_vertices;
  const simulation::VeloGenerator generate(params);
  Events events;
  for (int i = 0; i < n; ++i) events.push_back(generate(std::uint64_t(i)));
  return events;
}

void per_event(benchmark::State& state, const Events& events) {
  std::size_t hits = 0;
  for (const auto& event : events) hits += event.size();
  const auto n = double(events.size());
  state.counters["hits"] = double(hits) / n;
  state.counters["events_per_s"] =
      benchmark::Counter(n, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["s_per_event"] = benchmark::Counter(
      n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// All kernels of the chain, or the one with this name.
template <class Real, class Space, int Width>
void reconstruct(benchmark::State& state, const Events& events, VeloConstants constants,
                 const std::string& step = "") {
  auto velo = lhcb::velo_chain<Real, Space, Width>(Space(), lhcb::velo_params(constants));
  velo(events);
  const auto kernels =
      step.empty() ? std::vector<std::string>{"sort_by_phi", "search_by_triplet", "fit_lines"}
                   : std::vector{step};
  for (auto _ : state) velo.repeat(kernels);
  per_event(state, events);
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(std::move(run)))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

template <class Space, int Width>
void add_lanes(const std::string& set, const Events& events) {
  const std::string name = std::string("velo/") + bench::backend_name<Space>() +
                           "/lanes:" + std::to_string(Width) + "/" + set;
  add(name,
      [&](auto& state) { reconstruct<float, Space, Width>(state, events, VeloConstants::y2023); });
}

template <class Space>
void add_space(const std::string& set, const Events& events) {
  constexpr int width = default_lane_width<Space, float>;
  if constexpr (is_host_space<Space>) {
    add_lanes<Space, 1>(set, events);
    add_lanes<Space, 4>(set, events);
    add_lanes<Space, 16>(set, events);
  }
  add_lanes<Space, width>(set, events);
  const std::string name = std::string("velo/") + bench::backend_name<Space>() + "/";
  const auto add_step = [&](const std::string& what, VeloConstants constants,
                            const std::string& step = "") {
    add(name + what + "/" + set, [&events, constants, step](auto& state) {
      reconstruct<float, Space, width>(state, events, constants, step);
    });
  };
  add_step("sort", VeloConstants::y2023, "sort_by_phi");
  add_step("search", VeloConstants::y2023, "search_by_triplet");
  add_step("fit", VeloConstants::y2023, "fit_lines");
  add_step("constants:2020", VeloConstants::y2020);
  add_step("constants:2019", VeloConstants::y2019);
  add(name + "double/" + set, [&](auto& state) {
    constexpr int double_width = default_lane_width<Space, double>;
    reconstruct<double, Space, double_width>(state, events, VeloConstants::y2023);
  });
}

/// Growth with the hits of an event: each of the sizes generated, and the Upgrade-2 events.
template <class Space>
void add_growth(const std::vector<std::pair<std::string, Events>>& sizes) {
  constexpr int width = default_lane_width<Space, float>;
  for (const auto& [size, events] : sizes)
    add(std::string("velo_growth/") + bench::backend_name<Space>() + "/" + size,
        [&events = events](auto& state) {
          reconstruct<float, Space, width>(state, events, VeloConstants::y2023);
        });
}

std::vector<std::pair<std::string, Events>> growing_events() {
  std::vector<std::pair<std::string, Events>> sizes;
  for (const double vertices : {0.3, 1., 3., 10., 30., 55.})
    sizes.emplace_back("generated_vertices:" + std::to_string(int(10. * vertices)) + "/10",
                       generate_events(vertices, vertices < 5. ? 100 : 20));
  for (auto& event : read_events("upgrade2")) {
    const std::string name = "upgrade2_hits:" + std::to_string(event.size());
    sizes.emplace_back(name, Events{std::move(event)});
  }
  return sizes;
}

const bool registered = [] {
  static Events events = read_events("minibias");
  const std::string set = events.empty() ? "generated" : "minibias";
  if (events.empty()) events = generate_events(5.3, 100);
  static const auto sizes = growing_events();
  bench::for_each_backend([&]<class Space>(std::type_identity<Space>) {
    add_space<Space>(set, events);
    add_growth<Space>(sizes);
  });
  return true;
}();

}  // namespace
}  // namespace trackplex
