// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Cores of the threads of a host backend.

#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/launch.hpp>

#if defined(__linux__)
#include <sched.h>
#endif

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace trackplex {

/// Set of cores on which threads may run, for threads of your own: one that a bound thread of
/// OpenMP starts inherits the only core of that thread. Empty where cores are not known.
class Cores {
 public:
  Cores() = default;  ///< No cores.
  /// The cores on which any thread of a backend may run.
  explicit Cores([[maybe_unused]] const HostExecutor& exec) {
#if defined(__linux__)
    std::vector<std::atomic<std::uint64_t>> found(CPU_SETSIZE / 64);
    for_each_item(exec, "Trackplex::Core::find_cores", exec.concurrency(), Find{found.data()});
    exec.fence();
    words_.assign(found.begin(), found.end());
#endif
  }

  /// Lets the calling thread run on these cores; does nothing if there are none.
  void use() const {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    for (std::size_t i = 0; i < 64 * words_.size(); ++i)
      if (words_[i / 64] >> i % 64 & 1) CPU_SET(i, &set);
    if (CPU_COUNT(&set) > 0) ::sched_setaffinity(0, sizeof set, &set);
#endif
  }

 private:
#if defined(__linux__)
  struct Find {
    std::atomic<std::uint64_t>* words;
    void operator()(int) const {
      cpu_set_t own;
      CPU_ZERO(&own);
      if (::sched_getaffinity(0, sizeof own, &own) != 0) return;
      for (std::size_t i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &own)) words[i / 64] |= std::uint64_t(1) << i % 64;
    }
  };
#endif
  std::vector<std::uint64_t> words_;
};

}  // namespace trackplex
