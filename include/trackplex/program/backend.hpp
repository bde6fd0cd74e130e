// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/program/build_info.hpp>
#include <trackplex/program/common_options.hpp>
#include <trackplex/program/run.hpp>

#include <algorithm>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::program {

namespace detail {

template <class Real, class ExecutionSpace>
std::vector<int> offered_lanes() {
  return []<int... W>(std::integer_sequence<int, W...>) {
    std::vector<int> widths{W...};
    widths.erase(std::unique(widths.begin(), widths.end()), widths.end());
    return widths;
  }
  (OfferedLanes<ExecutionSpace, Real>{});
}

/// The widest offer that is not above the best: those lanes, if the build has them.
template <class Real, class ExecutionSpace>
int default_lanes() {
  int widest = 1;
  for (const int width : offered_lanes<Real, ExecutionSpace>())
    if (width <= lanes_of_program<ExecutionSpace, Real>) widest = std::max(widest, width);
  return widest;
}

template <class Real, class ExecutionSpace>
bool offers_lanes(const std::string& lanes) {
  for (const int width : offered_lanes<Real, ExecutionSpace>())
    if (std::to_string(width) == lanes) return true;
  return false;
}

/// The widths that the options ask for. Where all backends run, one that does not offer the width
/// takes its default.
template <class Real, class ExecutionSpace>
std::vector<int> lanes_asked_for(const CommonOptions& options) {
  if (options.lanes == "all") return offered_lanes<Real, ExecutionSpace>();
  if (offers_lanes<Real, ExecutionSpace>(options.lanes)) return {std::stoi(options.lanes)};
  return {default_lanes<Real, ExecutionSpace>()};
}

}  // namespace detail

/// Throws a UsageError where the options name a backend that is not built, or a lane width that it
/// does not offer. Needs no running Kokkos.
inline void check_backend(const CommonOptions& options) {
  if (options.backend == "all") return;
  bool built = false;
  for_each_enabled_space([&]<class Space>(std::type_identity<Space>) {
    if (!offers_space<Space> || options.backend != backend_name<Space>()) return;
    built = true;
    if (options.lanes == "default" || options.lanes == "all") return;
    const auto check_lanes = [&]<class Real>(std::type_identity<Real>) {
      if (!detail::offers_lanes<Real, Space>(options.lanes))
        throw UsageError(
            "--lanes",
            fmt::format("backend {} has no {} lanes of {}", options.backend, options.lanes,
                        options.precision),
            fmt::format("it offers {}", fmt::join(detail::offered_lanes<Real, Space>(), ", ")));
    };
    if (options.precision == "float")
      check_lanes(std::type_identity<float>{});
    else
      check_lanes(std::type_identity<double>{});
  });
  if (!built)
    throw UsageError("--backend", options.backend + " is not built",
                     fmt::format("this build has {}", fmt::join(built_backends(), ", ")));
}

/// Calls `body(Run<Real, Space>)` for each backend and lane width that the options ask for, in the
/// precision that they ask for. `Reals` are the number types that the program offers:
/// `dispatch<float, double>(options, [&](const auto& run) { ... })`. The body is instantiated for
/// all backends and number types; it should only call a function that is compiled elsewhere.
template <std::floating_point... Reals, class Body>
void dispatch(const CommonOptions& options, Body&& body) {
  static_assert(sizeof...(Reals) > 0, "Name the number types that the program offers.");
  check_backend(options);
  bool offered = false;
  const auto run_precision = [&]<class Real>(std::type_identity<Real>) {
    if constexpr (offers_real<Real>) {
      if ((options.precision == "float") != std::is_same_v<Real, float>) return;
      offered = true;
      for_each_enabled_space([&]<class Space>(std::type_identity<Space>) {
        if constexpr (offers_space<Space>) {
          if (options.backend != "all" && options.backend != backend_name<Space>()) return;
          for (const int lanes : detail::lanes_asked_for<Real, Space>(options))
            body(Run<Real, Space>{Space(), lanes});
        }
      });
    }
  };
  (run_precision(std::type_identity<Reals>{}), ...);
  if (!offered)
    throw UsageError("--precision", options.precision + " is not offered by this program",
                     "or not by this build of it (TRACKPLEX_OFFERED_REALS)");
}

}  // namespace trackplex::program
