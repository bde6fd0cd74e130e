// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The host as one execution space: Serial, OpenMP or Threads, chosen at run time.

#include <trackplex/core/compatibility.hpp>
#include <trackplex/core/compiled.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace trackplex {

/// Whether kernels of this space run on the host, with SIMD lanes in their number type.
/// Accessibility of memory cannot answer this: with unified memory, host and device access both.
template <class ExecutionSpace>
inline constexpr bool is_host_space =
    std::is_same_v<typename ExecutionSpace::memory_space, Kokkos::HostSpace>;

namespace detail {
template <class, class... Backends>
using VariantOf = std::variant<Backends...>;

/// `std::variant` of the host backends that Kokkos was built with.
// clang-format off
using HostBackends = VariantOf<void
#if defined(KOKKOS_ENABLE_SERIAL)
    , Kokkos::Serial
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
    , Kokkos::OpenMP
#endif
#if defined(KOKKOS_ENABLE_THREADS)
    , Kokkos::Threads
#endif
    >;
// clang-format on

template <class Backend, class Backends>
inline constexpr bool is_one_of = false;
template <class Backend, class... Backends>
inline constexpr bool is_one_of<Backend, std::variant<Backends...>> =
    (std::is_same_v<Backend, Backends> || ...);
}  // namespace detail

/// Instance of a host backend of Kokkos, known at run time. Algorithms,
/// chains and containers use it as an execution space, and Kokkos' instances convert to it: a
/// program with several host backends compiles its code only for this type.
///
///     HostExecutor exec = Kokkos::Serial();
///
/// Policies of Kokkos do not accept it: pass the instance to `Kokkos::parallel_for` by `visit`.
class HostExecutor {
 public:
  using execution_space = HostExecutor;    ///< Kokkos' mark of an execution space.
  using memory_space = Kokkos::HostSpace;  ///< Memory space of its kernels.

  /// Instance of the default host backend: `Kokkos::DefaultHostExecutionSpace`, or that of
  /// `set_default`.
  HostExecutor();
  /// Instance of a backend.
  template <class Backend>
  requires detail::is_one_of<Backend, detail::HostBackends> HostExecutor(const Backend& instance)
      : instance_(instance) {}

  /// Returns an instance of each host backend that Kokkos was built with.
  static std::vector<HostExecutor> all();
  /// Returns the names of these backends. Needs no running Kokkos.
  static std::vector<std::string> names();
  /// Returns the name of the default backend. Needs no running Kokkos.
  static std::string default_name();
  /// Makes a backend the default of this process from now on: for example "Serial", also in
  /// lower case. Needs no running Kokkos.
  /// @throws UsageError if Kokkos was built without it
  static void set_default(std::string_view name);

  /// Returns "Serial", "OpenMP" or "Threads".
  std::string name() const;
  /// Returns the number of its threads.
  int concurrency() const;
  /// Waits for all kernels and copies of the instance.
  void fence() const;
  /// The same, with a label for tools.
  void fence(const std::string& label) const;

  /// Calls `f` with the instance of Kokkos, for calls that need Kokkos itself. `f` is compiled for
  /// each host backend.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), instance_);
  }

 private:
  detail::HostBackends instance_;
};

/// As `Kokkos::deep_copy(exec, to, from)`: copies an array of any layout, or one value to all
/// entries. It stands here because unqualified calls otherwise find Kokkos' own, which does not
/// compile.
/// @throws UsageError if Kokkos is not running
template <class T, class... ToProperties, class U, class... FromProperties>
void deep_copy(const HostExecutor& exec, const Kokkos::View<T, ToProperties...>& to,
               const Kokkos::View<U, FromProperties...>& from) {
  detail::require_kokkos("deep_copy");
  exec.visit([&](const auto& instance) { Kokkos::deep_copy(instance, to, from); });
}
template <class T, class... Properties>
void deep_copy(const HostExecutor& exec, const Kokkos::View<T, Properties...>& to,
               typename Kokkos::View<T, Properties...>::const_value_type& value) {
  detail::require_kokkos("deep_copy");
  exec.visit([&](const auto& instance) { Kokkos::deep_copy(instance, to, value); });
}

}  // namespace trackplex

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/core/detail/host_executor.impl.hpp>
#endif
