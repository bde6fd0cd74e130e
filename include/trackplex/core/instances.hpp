// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/spaces.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

/// @file
/// Instances of an execution space whose kernels run at the same time.

namespace trackplex {

/// Instances of an execution space for independent work.
template <class ExecutionSpace>
struct ConcurrentInstances {
  /// The instances, one or more; kernels of one instance do not wait for kernels of another.
  std::vector<ExecutionSpace> instances;
  /// Whether every host thread may launch kernels (threads that share an instance, one at a
  /// time); otherwise only the thread that started Kokkos may.
  bool any_thread = false;
};

namespace detail {

/// Weights for shares of `threads` threads that are as equal as possible, with `n` at most
/// `threads`. Each weight is slightly more than the number of threads, except the last one, which
/// gets the rest: Kokkos rounds down.
inline std::vector<double> thread_weights(int threads, int n) {
  std::vector<double> weights;
  for (int i = 0; i < n; ++i)
    weights.push_back(double(threads / n + (i < threads % n ? 1 : 0)) + 0.5 / n);
  weights.back() -= 0.5;
  return weights;
}

}  // namespace detail

/// Partitions an instance into at most `n` that run at the same time.
///
/// On a device (Kokkos 4.2 or newer) each is a stream. With Serial there are `n` independent
/// instances. On other host spaces with Kokkos 4.5 or newer they partition the threads of `exec`,
/// so that there are at most as many instances as threads. With older versions the result is `exec`
/// itself, once.
template <class ExecutionSpace>
ConcurrentInstances<ExecutionSpace> concurrent_instances(const ExecutionSpace& exec, int n) {
  constexpr bool any_thread = detail::has_independent_instances<ExecutionSpace>;
  if constexpr (any_thread) {
    constexpr bool shares_threads =
        is_host_space<ExecutionSpace> && !detail::is_serial<ExecutionSpace>;
    const int shares = shares_threads ? std::min(n, concurrency_of(exec)) : n;
    if (shares > 1) {
      return {partition_space(exec, shares_threads
                                        ? detail::thread_weights(concurrency_of(exec), shares)
                                        : std::vector<double>(std::size_t(shares), 1.)),
              any_thread};
    }
  }
  return {{exec}, any_thread};
}

/// The same for the host backend that `exec` holds, with any version of Kokkos if there are at
/// least as many instances as threads: each is then Serial, on whose own thread kernels run.
inline ConcurrentInstances<HostExecutor> concurrent_instances(const HostExecutor& exec, int n) {
#ifdef KOKKOS_ENABLE_SERIAL
  if (const int threads = exec.concurrency(); threads > 1 && n >= threads) {
    const auto shares = concurrent_instances(Kokkos::Serial(), threads);
    return {{shares.instances.begin(), shares.instances.end()}, true};
  }
#endif
  return exec.visit([n](const auto& instance) -> ConcurrentInstances<HostExecutor> {
    const auto shares = concurrent_instances(instance, n);
    return {{shares.instances.begin(), shares.instances.end()}, shares.any_thread};
  });
}

}  // namespace trackplex
