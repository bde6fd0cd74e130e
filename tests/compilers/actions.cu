// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Elements that act on a bunch as a whole for TRACKPLEX_SPACE: device code of scalars, or host
/// code of lanes.

#include <trackplex/beam/detail/line_actions.hpp>

namespace trackplex::beam {

using Space = TRACKPLEX_SPACE;

template <class T>
constexpr int width = default_lane_width<Space, T, KernelKind::beam_tracking>;

template struct detail::ActionMaker<float, Space, width<float>, detail::CollectiveElements>;
template struct detail::ActionMaker<double, Space, width<double>, detail::CollectiveElements>;

}  // namespace trackplex::beam
