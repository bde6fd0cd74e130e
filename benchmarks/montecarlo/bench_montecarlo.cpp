// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Histories of 128 keV electrons to a limit of 33.5 mean free paths, counted in the longitudinal
// and the transverse distribution, per second: by material, precision, space and lane width. Goal:
// 5 million histories per second in water on one core in single precision.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <functional>
#include <string>
#include <trackplex/montecarlo/transport.hpp>

namespace trackplex::montecarlo {
namespace {

/// Histories of one call: as many as keep the space busy.
template <class Space>
constexpr std::uint64_t histories = is_host_space<Space> ? 1 << 18 : 1 << 24;

/// What a history takes; `lane_occupancy` is the share of lane steps that are steps of a history.
template <class T, int Width, class Space>
void follow(benchmark::State& state, const std::string& material, double limit) {
  const Space exec;
  const double screening = screened_rutherford(published_material(material), 0.128).screening;
  const auto list = tallies(AxisTally<Longitudinal, T>({-1., 1.01, 201}),
                            AxisTally<Transverse, T>({0., 1.01, 101}));
  Transport<T, Space, std::decay_t<decltype(list)>, PencilSource, Width> transport(
      exec, {screening, limit, 1}, list);
  std::uint64_t next = 0;
  double occupancy = 0., scatterings = 0.;
  for (auto _ : state) {
    transport.run(exec, {next, next + histories<Space>});
    next += histories<Space>;
    const TransportCounts counts = transport.take(exec);
    occupancy = counts.occupancy();
    scatterings = counts.moments.mean(Moment::scatterings);
  }
  using benchmark::Counter;
  state.counters["histories_per_s"] = Counter(double(next), Counter::kIsRate);
  state.counters["scatterings_per_s"] = Counter(double(next) * scatterings, Counter::kIsRate);
  state.counters["lane_occupancy"] = occupancy;
}

template <class T, int Width, class Space>
void add(const std::string& material, double limit = 33.5) {
  const std::string name = std::string("transport/") + bench::backend_name<Space>() + "/" +
                           material + (sizeof(T) == 4 ? "/float" : "/double") +
                           "/lanes:" + std::to_string(Width) +
                           (limit == 33.5 ? "" : "/limit:" + std::to_string(int(limit)));
  const std::function<void(benchmark::State&)> run = [=](benchmark::State& state) {
    follow<T, Width, Space>(state, material, limit);
  };
  benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(run))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

template <class T, class Space>
void add_all() {
  constexpr int width = default_lane_width<Space, T, KernelKind::transport>;
  for (const auto& material : published_materials()) add<T, width, Space>(material.name);
  add<T, width, Space>("water", 5.);
  add<T, width, Space>("water", 500.);
  if constexpr (is_host_space<Space>) {
    if constexpr (width != 4) add<T, 4, Space>("water");
    if constexpr (width != 8) add<T, 8, Space>("water");
    if constexpr (width != 16) add<T, 16, Space>("water");
    if constexpr (width != 32) add<T, 32, Space>("water");
    add<T, 1, Space>("water");
  }
}

const bool registered = [] {
  bench::for_each_backend([]<class Space>(std::type_identity<Space>) {
    add_all<float, Space>();
    add_all<double, Space>();
  });
  return true;
}();

}  // namespace
}  // namespace trackplex::montecarlo
