// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

/// @file
/// Differences between the versions of Kokkos (3.4 to 5.x), and a check that it leaves out.

namespace trackplex {

/// The most host threads that Kokkos has places for; it does not check that.
inline constexpr int max_host_threads = 512;

namespace detail {
/// The host threads to start Kokkos with, 0 where it decides by itself.
inline int checked_threads(int threads) {
  std::string origin = "threads";
  long wanted = threads;
  for (const char* const name : {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"}) {
    const char* const value = std::getenv(name);
    if (wanted > 0 || value == nullptr) continue;
    origin = name;
    wanted = std::strtol(value, nullptr, 10);
  }
  if (wanted > max_host_threads)
    throw UsageError(origin, std::to_string(wanted) + " host threads are too many",
                     "Kokkos has places for " + std::to_string(max_host_threads));
  const bool too_many_cores = std::thread::hardware_concurrency() > unsigned(max_host_threads);
  return wanted <= 0 && too_many_cores ? max_host_threads : threads;
}
}  // namespace detail

/// Starts Kokkos with so many host threads; with 0 Kokkos decides (KOKKOS_NUM_THREADS,
/// OMP_NUM_THREADS, else all cores).
/// @throws UsageError for more than max_host_threads
inline void initialize_kokkos(int threads = 0) {
  threads = detail::checked_threads(threads);
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true);
  if (threads > 0) {
    settings.set_num_threads(threads);
  }
#else
  Kokkos::InitArguments settings;
  settings.disable_warnings = true;
  if (threads > 0) {
    settings.num_threads = threads;
  }
#endif
  Kokkos::initialize(settings);
}

/// Host threads of an instance, or what a device counts as such.
template <class ExecutionSpace>
int concurrency_of(const ExecutionSpace& exec) {
  if constexpr (requires { ExecutionSpace::concurrency(exec); }) {
    return int(ExecutionSpace::concurrency(exec));  // without an argument: of the default instance
  } else {
    return int(exec.concurrency());
  }
}

/// Instances that share out what one has, by weight; copies of it before Kokkos 4.
template <class ExecutionSpace>
std::vector<ExecutionSpace> partition_space(const ExecutionSpace& exec,
                                            const std::vector<double>& weights) {
#if KOKKOS_VERSION >= 40000
  return Kokkos::Experimental::partition_space(exec, weights);
#else
  return std::vector<ExecutionSpace>(weights.size(), exec);
#endif
}

namespace detail {
/// As long as it lives, copies of views count no references.
class UntrackedCopies {
 public:
  UntrackedCopies() { Record::tracking_disable(); }
  ~UntrackedCopies() {
    if (tracked_) Record::tracking_enable();
  }
  UntrackedCopies(const UntrackedCopies&) = delete;
  UntrackedCopies& operator=(const UntrackedCopies&) = delete;

 private:
  using Record = Kokkos::Impl::SharedAllocationRecord<void, void>;
  bool tracked_ = Record::tracking_enabled();
};
}  // namespace detail

/// A copy whose views count no references, such as Kokkos makes of what it launches: the threads of
/// a kernel that copied a counted view would compete for its counter.
template <class T>
T untracked_copy(const T& object) {
  const detail::UntrackedCopies scope;
  return object;
}

/// Kokkos runs as long as this object lives. If Kokkos runs already, nothing is started or stopped.
class KokkosScope {
 public:
  explicit KokkosScope(int threads = 0) : started_here_(!Kokkos::is_initialized()) {
    if (started_here_) {
      initialize_kokkos(threads);
    }
  }
  ~KokkosScope() {
    if (started_here_) {
      Kokkos::finalize();
    }
  }
  KokkosScope(const KokkosScope&) = delete;
  KokkosScope& operator=(const KokkosScope&) = delete;

 private:
  bool started_here_;
};

}  // namespace trackplex
