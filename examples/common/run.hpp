// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// One run of a program: a backend, a number type and a lane width, as types where kernels are
/// compiled. Sources of kernels include this and no options.

#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/spaces.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace trackplex::program {

/// Kokkos' name of a backend as it is in options and reports: "serial", "openmp", "cuda", "hip".
inline std::string in_small_letters(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return name;
}
template <class ExecutionSpace>
std::string backend_name(const ExecutionSpace& exec) {
  return in_small_letters(exec.name());
}

/// Backend, threads, lanes and precision of a run, for reports and tables.
struct RunDescription {
  std::string backend = {};
  int threads = 1;  ///< host threads; 1 on devices
  int lanes = 1;
  std::string precision = {};
  bool on_host = true;

  bool operator==(const RunDescription&) const = default;
};

/// The kind of a program's kernels (trackplex_add_kernels(... KIND ...) sets it), which decides
/// about its lanes.
#ifndef TRACKPLEX_PROGRAM_KIND
#define TRACKPLEX_PROGRAM_KIND general
#endif

namespace detail {
template <class ExecutionSpace, class Real>
inline constexpr int lanes_of_program =
    default_lane_width<ExecutionSpace, Real, KernelKind::TRACKPLEX_PROGRAM_KIND>;

// Fewer widths compile faster (trackplex_add_kernels(... LANES ...) sets them).
#if defined(TRACKPLEX_OFFERED_LANES)
template <class Real>
using HostLanes = std::integer_sequence<int, TRACKPLEX_OFFERED_LANES>;
#elif defined(TRACKPLEX_OFFERED_DEFAULT_LANES)
template <class Real>
using HostLanes = std::integer_sequence<int, lanes_of_program<HostExecutor, Real>>;
#else
template <class Real>
using HostLanes = std::integer_sequence<int, 1, lanes_of_program<HostExecutor, Real>>;
#endif

template <class T, class... Offered>
inline constexpr bool is_offered = (std::is_same_v<T, Offered> || ...);
}  // namespace detail

/// The lane widths that programs offer on a space: one and the best, unless the build lists others.
template <class ExecutionSpace, class Real>
using OfferedLanes = std::conditional_t<is_host_space<ExecutionSpace>, detail::HostLanes<Real>,
                                        std::integer_sequence<int, 1>>;

/// Whether programs offer a number type, an execution space (the variables TRACKPLEX_OFFERED_REALS
/// and TRACKPLEX_OFFERED_SPACES of CMake select some).
#ifndef TRACKPLEX_OFFERED_REALS
#define TRACKPLEX_OFFERED_REALS float, double
#endif
template <class Real>
inline constexpr bool offers_real = detail::is_offered<Real, TRACKPLEX_OFFERED_REALS>;
#ifdef TRACKPLEX_OFFERED_SPACES
template <class ExecutionSpace>
inline constexpr bool offers_space = detail::is_offered<ExecutionSpace, TRACKPLEX_OFFERED_SPACES>;
#else
template <class ExecutionSpace>
inline constexpr bool offers_space = true;
#endif

/// One backend and number type, as types, with the instance to run on and the lane width.
template <class RealType, class Space>
struct Run {
  using Real = RealType;
  using ExecutionSpace = Space;
  Space exec;
  int lanes = 1;

  RunDescription description() const {
    return {backend_name(exec), is_host_space<Space> ? int(exec.concurrency()) : 1, lanes,
            std::is_same_v<Real, float> ? "float" : "double", is_host_space<Space>};
  }

  /// Calls `f(std::integral_constant<int, W>{})` for the width W of this run. `f` is instantiated
  /// for all that the space offers: do this where the kernels are compiled.
  /// @throws UsageError if the width is not among them
  template <class F>
  void with_lanes(F&& f) const {
    const auto is_offered = [&]<int... W>(std::integer_sequence<int, W...>) {
      ((W == lanes ? f(std::integral_constant<int, W>{}) : void()), ...);
      return ((W == lanes) || ...);
    }
    (OfferedLanes<Space, Real>{});
    if (!is_offered)
      throw UsageError("--lanes",
                       "this build has no kernels of " + std::to_string(lanes) + " lanes",
                       "TRACKPLEX_OFFERED_LANES");
  }
};

}  // namespace trackplex::program
