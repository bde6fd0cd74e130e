// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host.hpp"

#include "cpu_time.hpp"
#include "kernel.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace forecast {

using trackplex::fma;
using trackplex::load;
using trackplex::max;
using trackplex::min;
using trackplex::store;

namespace {

using Real = trackplex::LanesOf<float, lanes>;

/// Where results go that nobody needs, so that the compiler computes them.
volatile float sink;

/// The most operations per second in some attempts: others may use the machine, too.
template <class Work>
double best_rate(double operations, const Work& work) {
  double best = 0.;
  work();
  for (int attempt = 0; attempt < 15; ++attempt) {
    const double start = cpu_time();
    work();
    best = std::max(best, operations / (cpu_time() - start));
  }
  return best;
}

/// Hz: additions and exclusive ors in turn, which no compiler can join, and which take a cycle each
/// on every processor that we know.
double clock_rate() {
  constexpr int n = 1 << 20;
  volatile std::uint64_t start = 1, summand = 0x9e3779b97f4a7c15u, mask = 0x55aa55aa55aa55aau;
  return best_rate(4. * n, [&] {
    std::uint64_t x = start;
    const std::uint64_t a = summand, b = mask;
    for (int i = 0; i < n; ++i) x = (((x + a) ^ b) + a) ^ b;
    start = x;
  });
}

/// Calls `f(c)` for the numbers of independent chains: unrolled, so that they stay in registers.
template <int Chains, class F>
void for_each_chain(const F& f) {
  [&]<int... C>(std::integer_sequence<int, C...>) { (f(C), ...); }
  (std::make_integer_sequence<int, Chains>{});
}

/// Operations per second, on all lanes, of `step`, which is one operation, on independent chains.
template <class Step>
double chain_rate(const Step& step) {
  constexpr int n = 1 << 15, chains = 10;
  Real start[chains];
  for (int c = 0; c < chains; ++c) start[c] = Real(1.f + 0.01f * float(c));
  return best_rate(double(n) * chains * lanes, [&] {
    Real x[chains];
    for_each_chain<chains>([&](int c) { x[c] = start[c]; });
    for (int i = 0; i < n; ++i) for_each_chain<chains>([&](int c) { x[c] = step(x[c]); });
    for_each_chain<chains>([&](int c) { start[c] = x[c]; });
    sink = sum_of(x[0]);
  });
}

Buffer filled(std::size_t n, float value) {
  const Buffer memory("Trackplex::Forecast::memory", n);
  std::fill_n(memory.data(), n, value);
  return memory;
}

constexpr int cached = 2048;  // floats that the first cache holds easily

/// Calls per second and lane of `step(x, number)` with numbers out of the first cache.
template <class Step>
double load_rate(const Step& step) {
  constexpr int n = 200, chains = 8;
  const Buffer memory = filled(cached, 0.5f);
  return best_rate(double(n) * cached, [&] {
    Real x[chains];
    for_each_chain<chains>([&](int c) { x[c] = Real(float(c)); });
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < cached; k += chains * lanes)
        for_each_chain<chains>(
            [&](int c) { x[c] = step(x[c], load<Real>(memory.data() + k + c * lanes)); });
    for (int c = 1; c < chains; ++c) x[0] += x[c];
    sink = sum_of(x[0]);
  });
}

/// Numbers per second into it.
double store_rate() {
  const Buffer memory = filled(cached, 0.f);
  constexpr int n = 200;
  float value = 0.f;
  const double rate = best_rate(double(n) * cached, [&] {
    for (int i = 0; i < n; ++i) {
      const Real x(value += 1.f);
      for (int k = 0; k < cached; k += lanes) store(memory.data() + k, x);
    }
  });
  sink = memory(cached / 2);
  return rate;
}

/// bytes/s that are read and written.
double triad_bandwidth() {
  const std::size_t n = std::size_t(1) << 24;
  const Buffer a = filled(n, 0.f), b = filled(n, 1.f), c = filled(n, 2.f);
  const Real factor(0.5f);
  const double rate = best_rate(12. * double(n), [&] {
    for (std::size_t i = 0; i < n; i += std::size_t(lanes))
      store(a.data() + i, fma(factor, load<Real>(c.data() + i), load<Real>(b.data() + i)));
  });
  sink = a(n / 2);
  return rate;
}

}  // namespace

trackplex::perfmodel::Device measured_host() {
  trackplex::perfmodel::Device host;
  host.name = "this host, one core";
  host.source = "measured by the program forecast";
  host.clock = clock_rate();
  host.cores = lanes;
  const Real half(0.5f), two(2.f);
  host.peak.fp32 = 2. * chain_rate([=](const Real& x) { return fma(x, half, two); });
  host.peak.division = chain_rate([=](const Real& x) { return two / x; });
  host.peak.logic = 2. * chain_rate([=](const Real& x) { return max(half, min(two, x)); });
  host.peak.load = load_rate([](const Real& x, const Real& number) { return max(x, number); });
  host.peak.store = store_rate();
  // a load, an fma and a minimum in turn
  host.peak.instructions = 3. * load_rate([=](const Real& x, const Real& number) {
                             return min(two, fma(x, half, number));
                           });
  host.memory.bandwidth = triad_bandwidth();
  return host;
}

trackplex::perfmodel::Device one_core_of(trackplex::perfmodel::Device device) {
  auto& p = device.peak;
  for (double* rate : {&p.fp32, &p.fp64, &p.division, &p.special, &p.integer, &p.logic, &p.load,
                       &p.store, &p.instructions})
    *rate /= device.cores;
  device.name += ", one core";
  device.cores = lanes;
  return device;
}

}  // namespace forecast
