// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What core costs: lanes against scalar code, scan, sort and reductions on each backend; and what
// the machine offers, its triad bandwidth and its peak of fused multiply-adds, to read the others
// against.

#include <benchmark/benchmark.h>
#include <support/backends.hpp>

#include <string>
#include <trackplex/core/copy.hpp>
#include <trackplex/core/counting_sort.hpp>
#include <trackplex/core/launch.hpp>
#include <trackplex/core/reduce.hpp>
#include <vector>

namespace trackplex {
namespace {

/// A rate per second, or its inverse.
void per_second(benchmark::State& state, const char* name, double amount) {
  state.counters[name] = benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
}
void seconds_per(benchmark::State& state, const char* name, double amount) {
  state.counters[name] = benchmark::Counter(
      amount, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// Symmetric products
// --------------------------------------------------------------------------------------------------

/// Place of element (i, j) of a packed symmetric matrix.
constexpr int packed(int i, int j) { return i >= j ? i * (i + 1) / 2 + j : j * (j + 1) / 2 + i; }

/// C = A B for symmetric 6 x 6 matrices, 216 multiply-adds, each operand loaded where it is used.
/// Element e of W consecutive matrices stands at a[e * W].
template <class Real>
void multiply_symmetric(const float* a, const float* b, float* c) {
  constexpr int w = width_of<Real>;
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i)
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      Real sum = load<Real>(a + packed(i, 0) * w) * load<Real>(b + packed(0, j) * w);
#pragma GCC unroll 5
      for (int k = 1; k < 6; ++k)
        sum = fma(load<Real>(a + packed(i, k) * w), load<Real>(b + packed(k, j) * w), sum);
      store(c + (i * 6 + j) * w, sum);
    }
}

template <int Width>
void symmetric_product(benchmark::State& state) {
  constexpr int matrices = 64;  // operands and results fit the first cache
  std::vector<float> a(21 * matrices, 1.f), b(21 * matrices, 0.5f), c(36 * matrices);
  for (auto _ : state) {
    for (int m = 0; m < matrices; m += Width)
      multiply_symmetric<LanesOf<float, Width>>(&a[21 * m], &b[21 * m], &c[36 * m]);
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  seconds_per(state, "per_matrix", matrices);
}
BENCHMARK(symmetric_product<1>)->Name("symmetric_product_6x6/lanes:1");
BENCHMARK(symmetric_product<4>)->Name("symmetric_product_6x6/lanes:4");
BENCHMARK(symmetric_product<8>)->Name("symmetric_product_6x6/lanes:8");
BENCHMARK(symmetric_product<16>)->Name("symmetric_product_6x6/lanes:16");

// The machine
// ---------------------------------------------------------------------------------------------------------

/// Ten independent chains of fused multiply-adds in registers, on one thread.
template <int Width>
void fma_peak(benchmark::State& state) {
  using Real = LanesOf<float, Width>;
  constexpr int chains = 10, steps = 1000;
  Real x[chains];
  for (int i = 0; i < chains; ++i) x[i] = Real(float(i));
  const Real a(0.999f), b(0.001f);
  for (auto _ : state) {
    for (int s = 0; s < steps; ++s)
#pragma GCC unroll 10
      for (int i = 0; i < chains; ++i) x[i] = fma(x[i], a, b);
    benchmark::DoNotOptimize(x);
  }
  per_second(state, "flops", 2. * Width * chains * steps);
}
BENCHMARK(fma_peak<8>)->Name("machine/fma_peak_one_thread/lanes:8");
BENCHMARK(fma_peak<16>)->Name("machine/fma_peak_one_thread/lanes:16");

template <class Real, class Space>
struct Triad {
  Kokkos::View<double*, typename Space::memory_space> a, b, c;
  KOKKOS_FUNCTION void operator()(Tile<Real> tile) const {
    tile.store(a.data(), fma(Real(3), tile.load(c.data()), tile.load(b.data())));
  }
};

template <class Space>
void triad(benchmark::State& state) {
  using Real = LanesOf<double, default_lane_width<Space, double>>;
  const Space exec;
  const int n = 1 << 24;
  Triad<Real, Space> body;
  for (auto* view : {&body.a, &body.b, &body.c})
    *view = Kokkos::View<double*, typename Space::memory_space>("Trackplex::Bench::triad", n);
  for (auto _ : state) {
    for_each_tile<Real>(exec, "Trackplex::Bench::triad", n, body);
    exec.fence();
  }
  per_second(state, "bytes_per_s", 3. * sizeof(double) * n);
}

// Algorithms
// ----------------------------------------------------------------------------------------------------------

template <class Space>
auto device_keys(const Space& exec, int n, int bound) {
  Kokkos::View<int*, typename Space::memory_space> keys("Trackplex::Bench::keys", n);
  const auto host = Kokkos::create_mirror_view(keys);
  std::uint32_t state = 1;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    host(i) = int((state >> 8) % std::uint32_t(bound));
  }
  deep_copy(exec, keys, host);
  exec.fence();
  return keys;
}

template <class Space>
void scan(benchmark::State& state) {
  const Space exec;
  const int n = int(state.range(0));
  const auto counts = device_keys(exec, n, 10);
  Kokkos::View<int*, typename Space::memory_space> offsets("Trackplex::Bench::offsets", n + 1);
  for (auto _ : state) {
    exclusive_scan(exec, counts, offsets, n);
    exec.fence();
  }
  per_second(state, "items_per_s", n);
}

template <class Space>
void sort(benchmark::State& state) {
  const Space exec;
  const int n = int(state.range(0)), n_keys = 1024;
  const auto keys = device_keys(exec, n, n_keys);
  Kokkos::View<int*, typename Space::memory_space> offsets("Trackplex::Bench::offsets", n_keys + 1),
      permutation("Trackplex::Bench::permutation", n);
  Workspace<Space> workspace;
  for (auto _ : state) {
    counting_sort(exec, keys, n, n_keys, offsets, permutation, workspace);
    exec.fence();
  }
  per_second(state, "items_per_s", n);
}

template <class Space, int Width>
void sum(benchmark::State& state) {
  const Space exec;
  const int n = int(state.range(0));
  Kokkos::View<float*, typename Space::memory_space> x("Trackplex::Bench::x", n),
      result("Trackplex::Bench::sum", 1);
  Workspace<Space> workspace;
  for (auto _ : state) {
    reduce_array<Sum, Width>(exec, x, n, result, workspace);
    exec.fence();
  }
  per_second(state, "items_per_s", n);
}

template <class F>
void add(const std::string& name, F run) {
  for (const int n : {1 << 12, 1 << 20})
    benchmark::RegisterBenchmark(name.c_str(), bench::on_backend(run))->Arg(n)->UseRealTime();
}

const bool registered = [] {
  bench::for_each_backend([]<class Space>(std::type_identity<Space>) {
    const std::string space = bench::backend_name<Space>();
    benchmark::RegisterBenchmark(("machine/triad/" + space).c_str(),
                                 bench::on_backend(triad<Space>))
        ->UseRealTime();
    add("exclusive_scan/" + space, scan<Space>);
    add("counting_sort/" + space, sort<Space>);
    add("sum/" + space + "/lanes:1", sum<Space, 1>);
    if constexpr (is_host_space<Space>) add("sum/" + space + "/lanes:8", sum<Space, 8>);
  });
  return true;
}();

}  // namespace
}  // namespace trackplex
