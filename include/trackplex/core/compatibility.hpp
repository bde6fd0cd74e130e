// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

/// @file
/// Start of Kokkos, and functions that differ between its versions 3.4 to 5.x.

namespace trackplex {

/// Largest number of host threads that Kokkos supports; Kokkos itself does not check it.
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

/// Starts Kokkos with the given number of host threads; with 0 Kokkos decides (the environment
/// variables KOKKOS_NUM_THREADS and OMP_NUM_THREADS, else all cores, at most `max_host_threads`).
/// @throws UsageError if more than `max_host_threads` are requested
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

/// Returns the number of host threads of an instance; for a device, what Kokkos reports as its
/// concurrency.
template <class ExecutionSpace>
int concurrency_of(const ExecutionSpace& exec) {
  if constexpr (requires { ExecutionSpace::concurrency(exec); }) {
    return int(ExecutionSpace::concurrency(exec));  // without an argument: of the default instance
  } else {
    return int(exec.concurrency());
  }
}

/// Partitions an instance into one for each weight, with a share of its resources that is
/// proportional to the weight. Before Kokkos 4: copies of the instance.
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
/// Scope in which copies of Views count no references.
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

/// Returns a copy whose Views count no references, like the copies that Kokkos makes of functors:
/// threads of a kernel that copied a counted View would compete for its counter. The original has
/// to outlive the copy.
template <class T>
T untracked_copy(const T& object) {
  const detail::UntrackedCopies scope;
  return object;
}

/// Scope guard of Kokkos: initialized by the constructor, finalized by the destructor. Where Kokkos
/// is initialized already, both do nothing.
class KokkosScope {
 public:
  /// Starts Kokkos as `initialize_kokkos` does.
  /// @throws UsageError if more than `max_host_threads` are requested
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
