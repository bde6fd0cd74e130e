// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/spaces.hpp>

namespace trackplex::beam {

/// Lanes of tracking kernels: two registers on hosts, so that there is something to do while sums
/// of the one wait.
template <class ExecutionSpace, class T>
inline constexpr int tracking_lane_width =
    (is_host_space<ExecutionSpace> ? 2 : 1) * default_lane_width<ExecutionSpace, T>;

}  // namespace trackplex::beam
