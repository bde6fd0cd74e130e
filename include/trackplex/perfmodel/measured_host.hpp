// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/lanes.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// @file
/// Measured properties of the machine that the program runs on.

namespace trackplex::perfmodel {

/// Returns the processor time of the calling thread, s.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

namespace detail {

inline constexpr int lanes = default_lane_width<Kokkos::DefaultHostExecutionSpace, float>;
using Real = LanesOf<float, lanes>;
using Buffer = Kokkos::View<float*, Kokkos::HostSpace>;

/// Sink of results, so that the compiler does not remove their computation.
inline volatile float sink;

/// Returns the highest rate (1/s) of 15 attempts, since others may use the machine.
template <class Work>
double best_rate(double operations, const Work& work) {
  double best = 0.;
  work();
  for (int attempt = 0; attempt < 15; ++attempt) {
    const double start = thread_seconds();
    work();
    best = std::max(best, operations / (thread_seconds() - start));
  }
  return best;
}

/// Returns the clock (Hz): a dependent chain of additions and exclusive ors, of which each takes
/// one cycle on common processors.
inline double clock_rate() {
  constexpr int n = 1 << 20;
  volatile std::uint64_t start = 1, summand = 0x9e3779b97f4a7c15u, mask = 0x55aa55aa55aa55aau;
  return best_rate(4. * n, [&] {
    std::uint64_t x = start;
    const std::uint64_t a = summand, b = mask;
    for (int i = 0; i < n; ++i) x = (((x + a) ^ b) + a) ^ b;
    start = x;
  });
}

/// Returns the operations per second, over all lanes, of `step(x, low, high)`, one operation, on
/// ten independent chains. The numbers come from volatiles, so that nothing is folded.
template <class Step>
double chain_rate(const Step& step) {
  constexpr int n = 1 << 15, chains = 10;
  volatile float low_value = 0.5f, high_value = 2.f;
  return best_rate(double(n) * chains * lanes, [&] {
    const Real low(low_value), high(high_value);
    Real x0 = low, x1 = high, x2 = x0 + x1, x3 = x1 + x2, x4 = x2 + x3;
    Real x5 = x3 + x4, x6 = x4 + x5, x7 = x5 + x6, x8 = x6 + x7, x9 = x7 + x8;
    for (int i = 0; i < n; ++i) {
      x0 = step(x0, low, high), x1 = step(x1, low, high), x2 = step(x2, low, high);
      x3 = step(x3, low, high), x4 = step(x4, low, high), x5 = step(x5, low, high);
      x6 = step(x6, low, high), x7 = step(x7, low, high), x8 = step(x8, low, high);
      x9 = step(x9, low, high);
    }
    sink = sum_of(x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9);
  });
}

inline Buffer filled(std::size_t n, float value) {
  const auto memory = new_array<Buffer>("Trackplex::Perfmodel::memory", n);
  std::fill_n(memory.data(), n, value);
  return memory;
}

inline constexpr int cached = 2048;  // floats that the first cache holds easily

/// Returns the calls per second, over all lanes, of `step(x, number, limit)` with numbers from the
/// first cache.
template <class Step>
double load_rate(const Step& step) {
  constexpr int n = 200;
  const Buffer memory = filled(cached, 0.5f);
  volatile float limit_value = 2.f;
  return best_rate(double(n) * cached, [&] {
    const Real limit(limit_value);
    Real x0 = limit, x1 = x0 + limit, x2 = x1 + limit, x3 = x2 + limit;
    Real x4 = x3 + limit, x5 = x4 + limit, x6 = x5 + limit, x7 = x6 + limit;
    for (int i = 0; i < n; ++i)
      for (const float* p = memory.data(); p < memory.data() + cached; p += 8 * lanes) {
        const auto number = [p](int c) { return load<Real>(p + c * lanes); };
        x0 = step(x0, number(0), limit), x1 = step(x1, number(1), limit);
        x2 = step(x2, number(2), limit), x3 = step(x3, number(3), limit);
        x4 = step(x4, number(4), limit), x5 = step(x5, number(5), limit);
        x6 = step(x6, number(6), limit), x7 = step(x7, number(7), limit);
      }
    sink = sum_of(x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7);
  });
}

/// Returns the numbers per second that are stored into the first cache.
inline double store_rate() {
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

/// Returns the bytes per second that a triad reads and writes.
inline double triad_bandwidth() {
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

}  // namespace detail

/// Measures one core of this machine: its clock (Hz), its peak rate of each kind of operation (1/s,
/// SIMD lanes, data in the first cache) and its bandwidth (bytes/s) in the triad a_i = b_i + s c_i
/// on arrays in memory. `cores` is the number of lanes. Takes about a second; Kokkos must be
/// initialized.
inline Device measured_host() {
  using detail::Real;
  Device host;
  host.name = "this host, one core";
  host.source = "measured on this machine";
  host.clock = detail::clock_rate();
  host.cores = detail::lanes;
  host.peak.fp32 = 2. * detail::chain_rate([](const Real& x, const Real& a, const Real& b) {
                     return fma(x, a, b);
                   });
  host.peak.division =
      detail::chain_rate([](const Real& x, const Real& a, const Real&) { return a / x; });
  host.peak.logic = 2. * detail::chain_rate([](const Real& x, const Real& a, const Real& b) {
                      return max(a, min(b, x));
                    });
  host.peak.load = detail::load_rate(
      [](const Real& x, const Real& number, const Real&) { return max(x, number); });
  host.peak.store = detail::store_rate();
  // a load, an fma and a minimum in turn
  host.peak.instructions =
      3. * detail::load_rate([](const Real& x, const Real& number, const Real& limit) {
        return min(limit, fma(x, limit, number));
      });
  host.memory.bandwidth = detail::triad_bandwidth();
  return host;
}

/// Returns one core of a device that describes a whole CPU, with the whole bandwidth of its memory.
inline Device one_core_of(Device device) {
  auto& p = device.peak;
  for (double* rate : {&p.fp32, &p.fp64, &p.division, &p.special, &p.integer, &p.logic, &p.load,
                       &p.store, &p.instructions})
    *rate /= device.cores;
  device.name += ", one core";
  device.cores = detail::lanes;
  return device;
}

}  // namespace trackplex::perfmodel
