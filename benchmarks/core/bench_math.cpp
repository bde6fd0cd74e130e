// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementary functions and random numbers of core: time per value ("per_value"), beside the C
// library, one by one (libm) and vectorised (libmvec, where glibc has it).

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/random.hpp>
#include <vector>

#if defined(TRACKPLEX_BENCHMARK_LIBMVEC) && defined(__AVX2__)
#include <immintrin.h>
extern "C" {
__m256 _ZGVdN8v_sinf(__m256);
__m256 _ZGVdN8v_cosf(__m256);
__m256 _ZGVdN8v_tanf(__m256);
__m256 _ZGVdN8v_atanf(__m256);
__m256 _ZGVdN8v_expf(__m256);
__m256 _ZGVdN8v_logf(__m256);
__m256 _ZGVdN8vv_atan2f(__m256, __m256);
__m256d _ZGVdN4v_sin(__m256d);
__m256d _ZGVdN4v_cos(__m256d);
__m256d _ZGVdN4v_tan(__m256d);
__m256d _ZGVdN4v_atan(__m256d);
__m256d _ZGVdN4v_exp(__m256d);
__m256d _ZGVdN4v_log(__m256d);
__m256d _ZGVdN4vv_atan2(__m256d, __m256d);
}
#endif

namespace trackplex {
namespace {

constexpr std::size_t count = 1024;  // in the first cache

void per_value(benchmark::State& state, std::size_t values) {
  state.counters["per_value"] = benchmark::Counter(
      double(values), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// y[i] = f(x[i], x[count - i]) in steps of the lanes of Real.
template <class Real, class F>
void run(benchmark::State& state, F f, double low, double high) {
  using T = ScalarOf<Real>;
  RandomStream<T> random(1, 1);
  std::vector<T> x(count), z(count), y(count);
  for (auto& a : x) a = random.uniform(T(low), T(high));
  for (auto& a : z) a = random.uniform(T(low), T(high));
  for (auto _ : state) {
    for (std::size_t i = 0; i < count; i += width_of<Real>)
      store(&y[i], f(load<Real>(&x[i]), load<Real>(&z[i])));
    benchmark::DoNotOptimize(y.data());
    benchmark::ClobberMemory();
  }
  per_value(state, count);
}

template <class F>
void add(const std::string& name, F f, double low, double high) {
  const auto add_width = [&]<class Real>(Real) {
    const std::string type = sizeof(ScalarOf<Real>) == 4 ? "/float" : "/double";
    benchmark::RegisterBenchmark((name + type + std::to_string(width_of<Real>)).c_str(),
                                 [=](benchmark::State& state) { run<Real>(state, f, low, high); });
  };
  add_width(float{});
  add_width(Lanes<float, 8>{});
  add_width(Lanes<float, 16>{});
  add_width(double{});
  add_width(Lanes<double, 4>{});
  add_width(Lanes<double, 8>{});
}

template <class F>
void add_libm(const std::string& name, F f, double low, double high) {
  benchmark::RegisterBenchmark((name + "/libm/float").c_str(),
                               [=](benchmark::State& state) { run<float>(state, f, low, high); });
  benchmark::RegisterBenchmark((name + "/libm/double").c_str(),
                               [=](benchmark::State& state) { run<double>(state, f, low, high); });
}

#if defined(TRACKPLEX_BENCHMARK_LIBMVEC) && defined(__AVX2__)
template <class Real, class Register>
Real lanes_of(Register a) {
  return load<Real>(reinterpret_cast<const ScalarOf<Real>*>(&a));
}

template <class F, class D>
void add_libmvec(const std::string& name, F f, D d, double low, double high) {
  using Float8 = Lanes<float, 8>;
  using Double4 = Lanes<double, 4>;
  benchmark::RegisterBenchmark((name + "/libmvec/float").c_str(), [=](benchmark::State& state) {
    run<Float8>(
        state,
        [f](Float8 a, Float8 b) {
          return lanes_of<Float8>(f(__m256(a.part[0]), __m256(b.part[0])));
        },
        low, high);
  });
  benchmark::RegisterBenchmark((name + "/libmvec/double").c_str(), [=](benchmark::State& state) {
    run<Double4>(
        state,
        [d](Double4 a, Double4 b) {
          return lanes_of<Double4>(d(__m256d(a.part[0]), __m256d(b.part[0])));
        },
        low, high);
  });
}
#endif

/// Time of `draws` values per lane, on `Real`.
template <class F>
void add_random(const std::string& name, int draws, F draw) {
  const auto add_width = [&]<class Real>(Real) {
    const std::string type = sizeof(ScalarOf<Real>) == 4 ? "/float" : "/double";
    benchmark::RegisterBenchmark((name + type + std::to_string(width_of<Real>)).c_str(),
                                 [=](benchmark::State& state) {
                                   using Stream = RandomStream<Real>;
                                   Stream random(1, lane_index<typename Stream::StreamNumber>());
                                   for (auto _ : state)
                                     for (int i = 0; i < 256; ++i)
                                       benchmark::DoNotOptimize(draw(random));
                                   per_value(state, std::size_t(256 * draws * width_of<Real>));
                                 });
  };
  add_width(float{});
  add_width(Lanes<float, 8>{});
  add_width(Lanes<float, 16>{});
  add_width(double{});
  add_width(Lanes<double, 4>{});
  add_width(Lanes<double, 8>{});
}

template <class Word>
void philox_block(benchmark::State& state) {
  PhiloxBlock<Word> block{{lane_index<Word>(), Word(0u), Word(1u), Word(2u)}};
  for (auto _ : state) {
    for (unsigned i = 0; i < 256; ++i) {
      block.word[1] = Word(i);
      benchmark::DoNotOptimize(philox4x32_10(block, PhiloxKey(5)));
    }
  }
  per_value(state, std::size_t(256 * width_of<Word>));
}

// Inlined, so that lanes stay in registers.
#define FUNCTION(...)                                                                   \
  []([[maybe_unused]] auto x, [[maybe_unused]] auto y) __attribute__((always_inline)) { \
    __VA_ARGS__;                                                                        \
  }

const bool math_registered = [] {
  // clang-format off
  add("sincos", FUNCTION(const auto p = sincos(x); return p.sin + p.cos), -10, 10);
  add("sincospi", FUNCTION(const auto p = sincospi(x); return p.sin + p.cos), -10, 10);
  add("sin", FUNCTION(return sin(x)), -10, 10);
  add("tan", FUNCTION(return tan(x)), -10, 10);
  add("atan", FUNCTION(return atan(x)), -10, 10);
  add("atan2", FUNCTION(return atan2(x, y)), -10, 10);
  add("exp", FUNCTION(return exp(x)), -50, 50);
  add("log", FUNCTION(return log(x)), 0.001, 100);
  add_libm("sincos", FUNCTION(return std::sin(x) + std::cos(x)), -10, 10);
  add_libm("sin", FUNCTION(return std::sin(x)), -10, 10);
  add_libm("tan", FUNCTION(return std::tan(x)), -10, 10);
  add_libm("atan", FUNCTION(return std::atan(x)), -10, 10);
  add_libm("atan2", FUNCTION(return std::atan2(x, y)), -10, 10);
  add_libm("exp", FUNCTION(return std::exp(x)), -50, 50);
  add_libm("log", FUNCTION(return std::log(x)), 0.001, 100);
#if defined(TRACKPLEX_BENCHMARK_LIBMVEC) && defined(__AVX2__)
#define LIBMVEC(name) FUNCTION(return _ZGVdN8v_##name##f(x)), FUNCTION(return _ZGVdN4v_##name(x))
  add_libmvec("sincos", FUNCTION(return _ZGVdN8v_sinf(x) + _ZGVdN8v_cosf(x)),
              FUNCTION(return _ZGVdN4v_sin(x) + _ZGVdN4v_cos(x)), -10, 10);
  add_libmvec("sin", LIBMVEC(sin), -10, 10);
  add_libmvec("tan", LIBMVEC(tan), -10, 10);
  add_libmvec("atan", LIBMVEC(atan), -10, 10);
  add_libmvec("atan2", FUNCTION(return _ZGVdN8vv_atan2f(x, y)),
              FUNCTION(return _ZGVdN4vv_atan2(x, y)), -10, 10);
  add_libmvec("exp", LIBMVEC(exp), -50, 50);
  add_libmvec("log", LIBMVEC(log), 0.001, 100);
#undef LIBMVEC
#endif
#undef FUNCTION
  benchmark::RegisterBenchmark("philox/1", philox_block<std::uint32_t>);
  benchmark::RegisterBenchmark("philox/8", philox_block<Lanes<std::uint32_t, 8>>);
  benchmark::RegisterBenchmark("philox/16", philox_block<Lanes<std::uint32_t, 16>>);
  add_random("bits", 1, [](auto& r) { return r.bits(); });
  add_random("uniform", 1, [](auto& r) { return r.uniform(); });
  add_random("exponential", 1, [](auto& r) { return r.exponential(); });
  add_random("normal_pair", 2, [](auto& r) { return r.normal_pair(); });
  add_random("poisson_5", 1, [](auto& r) { return r.poisson(decltype(r.uniform())(5)); });
  // clang-format on
  return true;
}();

}  // namespace
}  // namespace trackplex
