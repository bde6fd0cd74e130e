// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/spaces.hpp>

#include <type_traits>
#include <utility>

namespace trackplex::test {

/// The lane widths that kernels are tested with on a space. All of them on one host space, the
/// default on the others: kernels take long to compile, and know their space and their lanes
/// independently.
template <class Space>
using TestedWidths =
    std::conditional_t<std::is_same_v<Space, HostExecutor>, std::integer_sequence<int, 1, 4, 8, 16>,
                       std::integer_sequence<int, default_lane_width<Space, double>>>;

/// The lanes of kernels of beam lines that are compiled once for all tests, besides one lane.
template <class T>
inline constexpr int line_lanes = default_lane_width<HostExecutor, T, KernelKind::beam_tracking>;

/// The lanes of kernels on track states that are compiled once for all tests, besides one
/// lane.
template <class Space, class T>
inline constexpr int state_lanes = default_lane_width<Space, T, KernelKind::track_states>;

/// Calls check.template operator()<Width>() for each of them.
template <class Space, class Check>
void for_each_width(Check check) {
  [&]<int... Widths>(std::integer_sequence<int, Widths...>) {
    (check.template operator()<Widths>(), ...);
  }
  (TestedWidths<Space>{});
}

}  // namespace trackplex::test
