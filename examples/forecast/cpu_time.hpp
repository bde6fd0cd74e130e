// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <time.h>

namespace forecast {

/// s that this thread has run, without the time in which others had its core.
inline double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

}  // namespace forecast
