// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The backends of a build, and runs on those that the options ask for.

#include <common/options.hpp>
#include <common/run.hpp>
#include <trackplex/core/enabled_spaces.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/spaces.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <concepts>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::program {

namespace detail {
/// Calls `f(std::type_identity<Space>{}, name)` for each backend that programs offer, those of the
/// host first. Needs no running Kokkos.
template <class F>
void for_each_name(F&& f) {
  const auto call = [&]<class Space>(std::type_identity<Space> space, const std::string& name) {
    if constexpr (offers_space<Space>) f(space, in_small_letters(name));
  };
  [&]<class... Devices>(std::type_identity<std::tuple<HostExecutor, Devices...>>) {
    for (const auto& name : HostExecutor::names()) call(std::type_identity<HostExecutor>{}, name);
    (call(std::type_identity<Devices>{}, Devices::name()), ...);
  }(std::type_identity<EnabledSpaces>{});
}
}  // namespace detail

/// The backends of this build, hosts first.
inline std::vector<std::string> built_backends() {
  std::vector<std::string> names;
  detail::for_each_name([&](auto, const std::string& name) { names.push_back(name); });
  return names;
}

/// The backend of Kokkos' default execution space where it is one of ours, else the last built one.
inline std::string default_backend() {
  const auto names = built_backends();
  const auto name = in_small_letters(Kokkos::DefaultExecutionSpace::name());
  return std::find(names.begin(), names.end(), name) != names.end() ? name : names.back();
}

/// The lane widths that a backend offers.
template <class Real, class ExecutionSpace>
std::set<int> offered_lanes() {
  return []<int... W>(std::integer_sequence<int, W...>) { return std::set<int>{W...}; }
  (OfferedLanes<ExecutionSpace, Real>{});
}

/// Those of hosts, of any number type.
inline std::set<int> offered_host_lanes() {
  auto widths = offered_lanes<float, HostExecutor>();
  widths.merge(offered_lanes<double, HostExecutor>());
  return widths;
}

namespace detail {

/// The widest offer that is not above the best: those lanes, if the build has them.
template <class Real, class ExecutionSpace>
int default_lanes() {
  int widest = 1;
  for (const int width : offered_lanes<Real, ExecutionSpace>())
    if (width <= lanes_of_program<ExecutionSpace, Real>) widest = width;
  return widest;
}

/// The width that a word of the options means; none where it means several.
inline int width_of_word(const std::string& lanes) {
  return lanes == "default" || lanes == "all" ? 0 : std::stoi(lanes);
}

/// The widths that the options ask for. Where all backends run, one that does not offer the width
/// takes its default.
template <class Real, class ExecutionSpace>
std::set<int> lanes_asked_for(const CommonOptions& options) {
  const auto offered = offered_lanes<Real, ExecutionSpace>();
  if (options.lanes == "all") return offered;
  const int width = width_of_word(options.lanes);
  return {offered.contains(width) ? width : default_lanes<Real, ExecutionSpace>()};
}

template <class Real>
bool asks_for(const CommonOptions& options) {
  return options.precision == "all" ||
         options.precision == (std::is_same_v<Real, float> ? "float" : "double");
}

template <class Real, class ExecutionSpace>
void check_lanes(const CommonOptions& options) {
  const auto offered = offered_lanes<Real, ExecutionSpace>();
  const int width = width_of_word(options.lanes);
  if (width > 0 && asks_for<Real>(options) && options.precision != "all" &&
      !offered.contains(width))
    throw UsageError(
        "--lanes",
        fmt::format("backend {} has no {} lanes of {}", options.backend, width, options.precision),
        fmt::format("it offers {}", fmt::join(offered, ", ")));
}

}  // namespace detail

/// Throws a UsageError where the options name a backend that is not built, or a lane width that it
/// does not offer. Needs no running Kokkos.
inline void check_backend(const CommonOptions& options) {
  if (options.backend == "all") return;
  bool built = false;
  detail::for_each_name([&]<class Space>(std::type_identity<Space>, const std::string& name) {
    if (options.backend != name) return;
    built = true;
    detail::check_lanes<float, Space>(options);
    detail::check_lanes<double, Space>(options);
  });
  if (!built)
    throw UsageError("--backend", options.backend + " is not built",
                     fmt::format("this build has {}", fmt::join(built_backends(), ", ")));
}

/// Calls `body(Run<Real, Space>)` for each number type, backend and lane width that the options ask
/// for. `Reals` are the number types that the program offers. The body is instantiated for all
/// execution spaces and number types; it should only call a function that is compiled elsewhere.
template <std::floating_point... Reals, class Body>
void dispatch(const CommonOptions& options, Body&& body) {
  static_assert(sizeof...(Reals) > 0, "Name the number types that the program offers.");
  check_backend(options);
  bool offered = false;
  const auto run_precision = [&]<class Real>(std::type_identity<Real>) {
    if constexpr (offers_real<Real>) {
      if (!detail::asks_for<Real>(options)) return;
      offered = true;
      for_each_backend([&]<class Space>(const Space& exec) {
        if constexpr (offers_space<Space>) {
          if (options.backend != "all" && options.backend != backend_name(exec)) return;
          for (const int lanes : detail::lanes_asked_for<Real, Space>(options))
            body(Run<Real, Space>{exec, lanes});
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
