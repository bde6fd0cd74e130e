// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/spaces.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

/// @file
/// Instances of an execution space that work at the same time.

namespace trackplex {

/// Instances of a space for work that is independent.
template <class ExecutionSpace>
struct ConcurrentInstances {
  /// One or more; kernels of one do not wait for those of another.
  std::vector<ExecutionSpace> instances;
  /// Whether each host thread may launch kernels, threads that share an instance one after the
  /// other; else only the thread that started Kokkos may.
  bool any_thread = false;
};

namespace detail {

/// From which version on Kokkos makes independent instances: streams on devices; on hosts each with
/// scratch memory and a lock of its own, so that any thread can launch on it.
template <class ExecutionSpace>
inline constexpr bool has_independent_instances = KOKKOS_VERSION >=
                                                  (is_host_space<ExecutionSpace> ? 40500 : 40200);

/// Weights for shares of `threads` threads that are as equal as can be, `n` at most `threads`. Each
/// is a little more than the number of threads, but for the last one, which gets what is left:
/// Kokkos rounds down.
inline std::vector<double> thread_weights(int threads, int n) {
  std::vector<double> weights;
  for (int i = 0; i < n; ++i)
    weights.push_back(double(threads / n + (i < threads % n ? 1 : 0)) + 0.5 / n);
  weights.back() -= 0.5;
  return weights;
}

}  // namespace detail

/// At most `n` instances that share out what `exec` has. On a device each is a stream. On a host
/// with Kokkos 4.5 or newer they share out the threads, so that there are no more of them than
/// threads, and Serial ones are independent. Else there is `exec` alone.
template <class ExecutionSpace>
ConcurrentInstances<ExecutionSpace> concurrent_instances(const ExecutionSpace& exec, int n) {
  if constexpr (detail::has_independent_instances<ExecutionSpace>) {
    if (n > 1) {
      int shares = n;
      std::vector<double> weights(std::size_t(n), 1.);
      if (const int threads = concurrency_of(exec); is_host_space<ExecutionSpace> && threads > 1) {
        shares = std::min(n, threads);
        weights = detail::thread_weights(threads, shares);
      }
      return {partition_space(exec, weights), true};
    }
    return {{exec}, true};
  } else {
    return {{exec}, false};
  }
}

}  // namespace trackplex
