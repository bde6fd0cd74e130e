// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Elements that act on a bunch as a whole for TRACKPLEX_SPACE: device code of scalars, or host
/// code of lanes.

#include <trackplex/beam/detail/line_actions.hpp>

namespace trackplex::beam {

using Space = TRACKPLEX_SPACE;

template <class T, class... Kinds>
void make_all(LineState& state, const std::tuple<Kinds...>& kinds) {
  constexpr int width = default_lane_width<Space, T, KernelKind::beam_tracking>;
  (detail::make_action<T, Space, width>(Space(), std::get<Kinds>(kinds), state), ...);
}

template void make_all<float>(LineState&, const detail::CollectiveElements&);
template void make_all<double>(LineState&, const detail::CollectiveElements&);

}  // namespace trackplex::beam
