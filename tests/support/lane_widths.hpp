// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/host_executor.hpp>
#include <trackplex/core/spaces.hpp>

#include <type_traits>
#include <utility>

namespace trackplex::test {

/// Whether kernels of hosts run at other widths than their default: in test_<domain>_widths
/// (scripts/test --all). They take long to compile.
#if defined(TRACKPLEX_TEST_WIDTHS)
inline constexpr bool all_widths = true;
#else
inline constexpr bool all_widths = false;
#endif

/// The width of results that those of `Default` lanes are compared with: one lane, or the same
/// width, on another backend, where that is the only one.
template <int Default>
inline constexpr int reference_lanes = all_widths ? 1 : Default;

/// The lane widths that kernels are tested with on a space; on devices, one lane.
template <class Space>
using TestedWidths =
    std::conditional_t<all_widths && is_host_space<Space>, std::integer_sequence<int, 1, 4, 8, 16>,
                       std::integer_sequence<int, default_lane_width<Space, double>>>;

/// The default lanes of kernels of beam lines.
template <class T>
inline constexpr int line_lanes = default_lane_width<HostExecutor, T, KernelKind::beam_tracking>;

/// The default lanes of kernels on track states.
template <class Space, class T>
inline constexpr int state_lanes = default_lane_width<Space, T, KernelKind::track_states>;

/// Calls check.template operator()<Width>() for each of TestedWidths.
template <class Space, class Check>
void for_each_width(Check check) {
  [&]<int... Widths>(std::integer_sequence<int, Widths...>) {
    (check.template operator()<Widths>(), ...);
  }
  (TestedWidths<Space>{});
}

}  // namespace trackplex::test
