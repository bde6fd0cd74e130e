// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/lanes.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/perfmodel/device.hpp>
#include <trackplex/perfmodel/measured_host.hpp>

#include <algorithm>
#include <cstdint>

namespace trackplex::perfmodel {

TRACKPLEX_INLINE double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

namespace detail {

/// Returns the clock (Hz): a dependent chain of additions and exclusive ors, of which each takes
/// one cycle on common processors.
TRACKPLEX_INLINE double clock_rate() {
  constexpr int n = 1 << 20;
  volatile std::uint64_t start = 1, summand = 0x9e3779b97f4a7c15u, mask = 0x55aa55aa55aa55aau;
  return best_rate(4. * n, [&] {
    std::uint64_t x = start;
    const std::uint64_t a = summand, b = mask;
    for (int i = 0; i < n; ++i) x = (((x + a) ^ b) + a) ^ b;
    start = x;
  });
}

TRACKPLEX_INLINE Buffer filled(std::size_t n, float value) {
  const auto memory = new_array<Buffer>("Trackplex::Perfmodel::memory", n);
  std::fill_n(memory.data(), n, value);
  return memory;
}

/// Returns the numbers per second that are stored into the first cache.
TRACKPLEX_INLINE double store_rate() {
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
TRACKPLEX_INLINE double triad_bandwidth() {
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

TRACKPLEX_INLINE Device measured_host() {
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

TRACKPLEX_INLINE Device one_core_of(Device device) {
  auto& p = device.peak;
  for (double* rate : {&p.fp32, &p.fp64, &p.division, &p.special, &p.integer, &p.logic, &p.load,
                       &p.store, &p.instructions})
    *rate /= device.cores;
  device.name += ", one core";
  device.cores = detail::lanes;
  return device;
}

}  // namespace trackplex::perfmodel
