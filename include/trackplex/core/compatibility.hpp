// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

/// @file
/// Start of Kokkos, and functions that differ between Kokkos 3.4 and 5.x.

namespace trackplex {

/// Largest number of host threads that Kokkos supports; Kokkos itself does not check it.
inline constexpr int max_host_threads = 512;

namespace detail {
/// Number of host threads to start Kokkos with; 0: Kokkos decides.
inline int checked_threads(int threads) {
  std::string origin = "threads";
  long wanted = threads;
  for (const char* const name : {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"}) {
    const char* const value = std::getenv(name);
    if (wanted > 0 || value == nullptr) continue;
    origin = name;
    char* end = nullptr;
    wanted = std::strtol(value, &end, 10);
    // Kokkos ends the process here; OpenMP ignores such a value of its own variable.
    if (name == std::string_view("KOKKOS_NUM_THREADS") && (wanted < 1 || *end != '\0'))
      throw UsageError(name, "\"" + std::string(value) + "\" is no number of host threads", {},
                       "set it to a whole number from 1 to " + std::to_string(max_host_threads) +
                           ", or unset it");
  }
  if (wanted > max_host_threads)
    throw UsageError(origin, std::to_string(wanted) + " host threads are too many",
                     "Kokkos has places for " + std::to_string(max_host_threads));
  const bool too_many_cores = std::thread::hardware_concurrency() > unsigned(max_host_threads);
  return wanted <= 0 && too_many_cores ? max_host_threads : threads;
}

/// Scope in which an environment variable is not set.
class WithoutVariable {
 public:
  explicit WithoutVariable(const char* name) : name_(name) {
    if (const char* const value = std::getenv(name)) value_ = value;
    ::unsetenv(name);
  }
  ~WithoutVariable() {
    if (value_) ::setenv(name_, value_->c_str(), 1);
  }
  WithoutVariable(const WithoutVariable&) = delete;
  WithoutVariable& operator=(const WithoutVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> value_;
};

/// Ensures that OpenMP gives Kokkos all threads that it requests, on which Kokkos relies; with 0
/// it takes the number that it gets.
inline void check_openmp_limits([[maybe_unused]] int threads) {
#ifdef KOKKOS_ENABLE_OPENMP
  ::omp_set_dynamic(0);  // OMP_DYNAMIC gives fewer while the machine is busy
  const char* const value = std::getenv("KOKKOS_NUM_THREADS");
  if (threads <= 0 && value != nullptr) threads = int(std::strtol(value, nullptr, 10));
  if (const int limit = ::omp_get_thread_limit(); threads > limit)
    throw UsageError("OMP_THREAD_LIMIT",
                     std::to_string(threads) + " host threads are above the limit of OpenMP",
                     "it is " + std::to_string(limit), "unset it, or ask for no more threads");
#endif
}

#if KOKKOS_VERSION < 40000
inline bool finalized = false;  ///< Kokkos, started by initialize_kokkos(), has ended.
#endif

/// Whether Kokkos has ended, as far as known: before Kokkos 4, only if
/// initialize_kokkos() had started it.
inline bool kokkos_has_ended() {
#if KOKKOS_VERSION >= 40000
  return Kokkos::is_finalized();
#else
  return finalized;
#endif
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_without_kokkos(std::string_view where) {
  if (kokkos_has_ended())
    throw UsageError(where, "Kokkos is no longer running",
                     "a trackplex::KokkosScope or Kokkos::finalize() has ended it",
                     "keep the trackplex::KokkosScope at the start of main until the last use");
  throw UsageError(where, "Kokkos is not running",
                   KOKKOS_VERSION >= 40000 ? "nothing has started it yet"
                                           : "nothing has started it, or it has ended",
                   "create a trackplex::KokkosScope at the start of main");
}

/// Ensures that Kokkos is running; every function that allocates, copies or launches begins with
/// it. `where` is the label of the array or kernel.
/// @throws UsageError if Kokkos has not been started, or has ended
inline void require_kokkos(std::string_view where) {
  if (!Kokkos::is_initialized()) [[unlikely]]
    refuse_without_kokkos(where);
}
}  // namespace detail

/// Starts Kokkos with the given number of host threads, whatever the environment; with 0
/// Kokkos decides (the environment variables KOKKOS_NUM_THREADS and OMP_NUM_THREADS, else all
/// cores, at most `max_host_threads`). A process starts Kokkos once.
///
/// Warnings of Kokkos are off, unless KOKKOS_DISABLE_WARNINGS turns them on.
/// @throws UsageError if Kokkos is running or has ended, if more threads than `max_host_threads`
/// or OMP_THREAD_LIMIT are requested, or if KOKKOS_NUM_THREADS is not a number
inline void initialize_kokkos(int threads = 0) {
  if (Kokkos::is_initialized())
    throw UsageError("initialize_kokkos", "Kokkos is already running", {},
                     "start it once, with one trackplex::KokkosScope at the start of main");
  if (detail::kokkos_has_ended())
    throw UsageError("initialize_kokkos", "Kokkos cannot be started again",
                     "it has ended in this process",
                     "keep one trackplex::KokkosScope at the start of main");
  threads = detail::checked_threads(threads);
  detail::check_openmp_limits(threads);
  // Kokkos 3 ends the process if it differs from the setting, Kokkos 4 if it is not a number.
  std::optional<detail::WithoutVariable> without;
  if (threads > 0) without.emplace("KOKKOS_NUM_THREADS");
  const bool quiet = std::getenv("KOKKOS_DISABLE_WARNINGS") == nullptr;
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  if (quiet) settings.set_disable_warnings(true);
  if (threads > 0) settings.set_num_threads(threads);
#else
  Kokkos::InitArguments settings;
  settings.disable_warnings = quiet;
  if (threads > 0) settings.num_threads = threads;
#endif
  Kokkos::initialize(settings);
#if KOKKOS_VERSION < 40000
  Kokkos::push_finalize_hook([] { detail::finalized = true; });
#endif
}

/// Returns the number of host threads of an instance; for a device, the concurrency that
/// Kokkos reports.
template <class ExecutionSpace>
int concurrency_of(const ExecutionSpace& exec) {
  if constexpr (requires { ExecutionSpace::concurrency(exec); }) {
    return int(ExecutionSpace::concurrency(exec));  // without an argument, that of the default
                                                    // instance
  } else {
    return int(exec.concurrency());
  }
}

/// Partitions an instance into one instance per weight, each with a share of the
/// resources proportional to its weight. Before Kokkos 4: copies of the instance.
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
/// Scope in which copies of Views do not count references.
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

/// Returns a copy whose Views do not count references, like the copies that Kokkos makes of
/// functors: threads of a kernel that copied a counted View would contend for its counter. The
/// original must outlive the copy.
template <class T>
T untracked_copy(const T& object) {
  const detail::UntrackedCopies scope;
  return object;
}

/// Scope guard of Kokkos: the constructor initializes Kokkos, the destructor finalizes it. If
/// Kokkos is already initialized, both do nothing. Create one at the start of main: everything that
/// allocates or launches must be destroyed before it, and Kokkos cannot be started again
/// afterwards.
class KokkosScope {
 public:
  /// Starts Kokkos as `initialize_kokkos` does, if it is not running.
  /// @throws UsageError as `initialize_kokkos` does
  explicit KokkosScope(int threads = 0) : started_here_(!Kokkos::is_initialized()) {
    if (started_here_) {
      initialize_kokkos(threads);
    }
  }
  ~KokkosScope() {
    if (started_here_ && Kokkos::is_initialized()) {
      Kokkos::finalize();
    }
  }
  KokkosScope(const KokkosScope&) = delete;
  KokkosScope& operator=(const KokkosScope&) = delete;

 private:
  bool started_here_;
};

}  // namespace trackplex
