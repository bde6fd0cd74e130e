// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/perfmodel/device.hpp>

#include <time.h>

namespace forecast {

/// s that this thread has run, without the time in which others had its core.
inline double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

/// One core of this machine, measured: its clock by a chain of dependent integer operations, what
/// it does per second of each kind of operation on SIMD lanes in the first cache, and the bandwidth
/// of a triad, a_i = b_i + s c_i, on arrays in memory. `cores` are the lanes. Takes about a second.
trackplex::perfmodel::Device measured_host();

/// One core of a device that stands for a whole CPU; the memory it has to itself.
trackplex::perfmodel::Device one_core_of(trackplex::perfmodel::Device device);

}  // namespace forecast
