// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/allocate.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/lanes.hpp>
#include <trackplex/core/math.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/perfmodel/device.hpp>

#include <time.h>

#include <algorithm>
#include <cstddef>

/// @file
/// Measured properties of the machine on which the program runs.

namespace trackplex::perfmodel {

/// Returns the processor time of the calling thread, s.
double thread_seconds();

namespace detail {

inline constexpr int lanes = default_lane_width<HostExecutor, float>;
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

Buffer filled(std::size_t n, float value);

inline constexpr int cached = 2048;  // floats that easily fit into the first-level cache

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

}  // namespace detail

/// Measures one core of this machine: its clock (Hz), its peak rate of each kind of operation (1/s,
/// SIMD lanes, data in the first cache) and its bandwidth (bytes/s) in the triad a_i = b_i + s c_i
/// on arrays in memory. `cores` is the number of lanes. Takes about a second; Kokkos must be
/// initialized.
Device measured_host();

/// Returns one core of a device that describes a whole CPU, with the whole bandwidth of its memory.
Device one_core_of(Device device);

}  // namespace trackplex::perfmodel

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/perfmodel/detail/measured_host.impl.hpp>
#endif
