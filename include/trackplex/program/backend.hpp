// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/program/build_info.hpp>
#include <trackplex/program/options.hpp>

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

namespace trackplex::program {

/// What a run was made with, for reports and tables.
struct RunDescription {
  std::string backend;
  int threads = 1;  ///< host threads; 1 on devices
  int lanes = 1;
  std::string precision;

  bool operator==(const RunDescription&) const = default;
};

/// One backend, number type and lane width, as types, with the execution-space instance to run on.
template <class RealType, class Space, int LaneCount>
struct Run {
  using Real = RealType;
  using ExecutionSpace = Space;
  static constexpr int lanes = LaneCount;
  Space exec;

  RunDescription description() const {
    return {backend_name<Space>(), is_host_space<Space> ? int(exec.concurrency()) : 1, LaneCount,
            std::is_same_v<Real, float> ? "float" : "double"};
  }
};

/// The lane widths that programs offer on a space.
template <class ExecutionSpace>
using OfferedLanes =
    std::conditional_t<is_host_space<ExecutionSpace>, std::integer_sequence<int, 1, 4, 8, 16>,
                       std::integer_sequence<int, 1>>;

namespace detail {

template <class ExecutionSpace>
bool offers_lanes(const std::string& lanes) {
  return [&]<int... W>(std::integer_sequence<int, W...>) {
    return ((std::to_string(W) == lanes) || ...);
  }
  (OfferedLanes<ExecutionSpace>{});
}

/// Whether width W of this space is among those asked for. Where all backends run, one that does
/// not offer the width takes its default.
template <class Real, class ExecutionSpace, int W>
bool lanes_asked_for(const CommonOptions& options) {
  if (options.lanes == "all") return true;
  const bool is_default = W == default_lane_width<ExecutionSpace, Real>;
  if (options.lanes == "default") return is_default;
  if (!offers_lanes<ExecutionSpace>(options.lanes)) return options.backend == "all" && is_default;
  return options.lanes == std::to_string(W);
}

template <class Real, class ExecutionSpace, class Body>
void run_space(const CommonOptions& options, Body& body) {
  [&]<int... W>(std::integer_sequence<int, W...>) {
    const auto run = [&]<int Width>() {
      if (lanes_asked_for<Real, ExecutionSpace, Width>(options))
        body(Run<Real, ExecutionSpace, Width>{ExecutionSpace()});
    };
    (run.template operator()<W>(), ...);
  }
  (OfferedLanes<ExecutionSpace>{});
}

}  // namespace detail

/// Throws a UsageError where the options name a backend that is not built, or a lane width that it
/// does not offer. Needs no running Kokkos.
inline void check_backend(const CommonOptions& options) {
  if (options.backend == "all") return;
  bool built = false;
  for_each_enabled_space([&]<class Space>(std::type_identity<Space>) {
    if (options.backend != backend_name<Space>()) return;
    built = true;
    const bool a_number = options.lanes != "default" && options.lanes != "all";
    if (a_number && !detail::offers_lanes<Space>(options.lanes))
      throw UsageError("--lanes",
                       "backend " + options.backend + " has no lane width " + options.lanes,
                       "it offers 1");
  });
  if (!built)
    throw UsageError("--backend", options.backend + " is not built",
                     fmt::format("this build has {}", fmt::join(built_backends(), ", ")));
}

/// Calls `body(Run<Real, Space, Lanes>{instance})` for each backend and lane width that the options
/// ask for, with `Real` float or double. `Reals` are the number types that the program offers:
/// `dispatch<float, double>(options, [&](const auto& run) { ... })`. The body is instantiated for
/// all of them; it should only call a function that is compiled elsewhere.
template <std::floating_point... Reals, class Body>
void dispatch(const CommonOptions& options, Body&& body) {
  static_assert(sizeof...(Reals) > 0, "Name the number types that the program offers.");
  check_backend(options);
  bool offered = false;
  const auto run_precision = [&]<class Real>(std::type_identity<Real>) {
    if ((options.precision == "float") != std::is_same_v<Real, float>) return;
    offered = true;
    for_each_enabled_space([&]<class Space>(std::type_identity<Space>) {
      if (options.backend == "all" || options.backend == backend_name<Space>())
        detail::run_space<Real, Space>(options, body);
    });
  };
  (run_precision(std::type_identity<Reals>{}), ...);
  if (!offered)
    throw UsageError("--precision", options.precision + " is not offered by this program");
}

}  // namespace trackplex::program
