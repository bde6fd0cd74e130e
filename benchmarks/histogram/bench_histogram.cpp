// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What binning costs: values of a bell in random order into the bins of an axis over 5 standard
// deviations to either side, by each strategy and deposition; the positions are computed from the
// values on the way. Goal: 2 to 3 ns a value of double precision into 256 bins on one core, with
// the automatic strategy.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <functional>
#include <string>
#include <trackplex/core/random.hpp>
#include <trackplex/histogram/deposit.hpp>
#include <trackplex/histogram/extrema.hpp>

namespace trackplex::histogram {
namespace {

template <class Real>
struct FillNormal {
  using Stream = typename RandomStream<Real>::StreamNumber;
  ScalarOf<Real>* values;
  KOKKOS_FUNCTION void operator()(Tile<Real> tile) const {
    RandomStream<Real> random(1, lane_index<Stream>() + Stream(unsigned(tile.first)));
    tile.store(values, random.normal());
  }
};

template <class T, class Space>
using Array = Kokkos::View<T*, typename Space::memory_space>;

template <class Real, class Space>
auto normal_values(const Space& exec, int n) {
  const Array<ScalarOf<Real>, Space> values("Trackplex::Bench::values", std::size_t(n));
  for_each_tile<Real>(exec, "Trackplex::Bench::values", n, FillNormal<Real>{values.data()});
  exec.fence();
  return values;
}

void per_value(benchmark::State& state, int n) {
  state.counters["s_per_value"] = benchmark::Counter(
      n, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class T, class Space, int Width>
void bin(benchmark::State& state, int n, const DepositParams& params) {
  const Space exec;
  Workspace<Space> workspace;
  const auto values = normal_values<LanesOf<T, Width>>(exec, n);
  const RegularAxis<T> axis(-5., 5., params.bins);
  const Array<std::int64_t, Space> counts("Trackplex::Bench::counts", std::size_t(params.bins));
  const Array<OutsideCounts, Space> outside("Trackplex::Bench::outside", 1);
  for (auto _ : state) {
    Deposit<T, Space, Width>{params}(exec, n, positions_on(axis, values), counts, outside,
                                     workspace);
    exec.fence();
  }
  per_value(state, n);
}

template <class Space>
void find_maximum(benchmark::State& state, int bins) {
  const Space exec;
  const Array<std::int64_t, Space> counts("Trackplex::Bench::counts", std::size_t(bins));
  const Array<MaximumBin<std::int64_t>, Space> maximum("Trackplex::Bench::maximum", 1);
  for (auto _ : state) {
    maximum_bin(exec, counts, bins, maximum);
    exec.fence();
  }
}

void add(const std::string& name, std::function<void(benchmark::State&)> run) {
  benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(std::move(run)))
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

const char* name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::global_atomics:
      return "global_atomics";
    case Strategy::replicated:
      return "replicated";
    default:
      return "sorted";
  }
}

template <class T, class Space, int Width>
void add_depositions(int n, int bins, Strategy strategy) {
  for (const auto deposition : {Deposition::nearest, Deposition::linear})
    add(std::string("deposit/") + bench::backend_name<Space>() + "/" + name_of(strategy) +
            (deposition == Deposition::linear ? "/linear" : "/nearest") +
            (sizeof(T) == 4 ? "/float" : "/double") + "/lanes:" + std::to_string(Width) +
            "/bins:" + std::to_string(bins) + "/values:" + std::to_string(n),
        [=](auto& state) {
          bin<T, Space, Width>(state, n, {bins, strategy, deposition});
        });
}

template <class T, class Space>
void add_values() {
  constexpr int width = default_lane_width<Space, T>;
  for (const int bins : {200, 256, 500, 1000, 2000, 5000}) {
    for (const Strategy strategy :
         {Strategy::global_atomics, Strategy::replicated, Strategy::sorted})
      add_depositions<T, Space, width>(1000000, bins, strategy);
    add_depositions<T, Space, width>(10000000, bins, Strategy::replicated);
  }
  add_depositions<T, Space, width>(10000, 256, Strategy::replicated);
  if constexpr (is_host_space<Space>)
    add_depositions<T, Space, 1>(1000000, 256, Strategy::replicated);
}

const bool registered = [] {
  bench::for_each_backend([]<class Space>(std::type_identity<Space>) {
    add_values<double, Space>();
    add_values<float, Space>();
    for (const int bins : {256, 5000})
      add(std::string("maximum_bin/") + bench::backend_name<Space>() +
              "/bins:" + std::to_string(bins),
          [=](auto& state) { find_maximum<Space>(state, bins); });
  });
  return true;
}();

}  // namespace
}  // namespace trackplex::histogram
