// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Instances of elements that act on a bunch as a whole, with all their kernels.

#include <trackplex/beam/detail/line_actions.hpp>
#include <trackplex/core/kernel_instances.hpp>

#define TRACKPLEX_LINE_ACTIONS_INSTANCES(PREFIX, T, W)                 \
  PREFIX template struct beam::detail::ActionMaker<T, HostExecutor, W, \
                                                   beam::detail::CollectiveElements>;

namespace trackplex {
TRACKPLEX_DECLARE_INSTANCES(LINE_ACTIONS, space_charge, double)
}  // namespace trackplex
