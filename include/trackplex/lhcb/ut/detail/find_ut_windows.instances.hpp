// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of the search for windows in the UT.

#include <trackplex/core/kernel_instances.hpp>
#include <trackplex/lhcb/ut/find_ut_windows.hpp>

namespace trackplex::kernels {

template <class T, int Width>
struct FindUtWindows {
  using Real = LanesOf<T, Width>;
  using FindWindows =
      lhcb::detail::UtWindowSearch<Real, lhcb::CompassInput<T, Memory>, lhcb::UtWindows<Memory>>;
};

}  // namespace trackplex::kernels

#define TRACKPLEX_FIND_UT_WINDOWS_INSTANCES(PREFIX, T, W) \
  TRACKPLEX_TEAMS(PREFIX, FindUtWindows, T, W, FindWindows)

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(FIND_UT_WINDOWS, general, float)
}  // namespace trackplex
