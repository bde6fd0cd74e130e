// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/dipole_edge.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/steps/bend_edge.hpp>

#include <algorithm>

namespace trackplex::beam {

TRACKPLEX_INLINE void DipoleEdge::check(const ElementCheck& check) const {
  check.finite("curvature", curvature);
  check.finite("angle", angle);
  check.not_negative("half gap", half_gap);
  check.finite("integral of the fringe field", fringe);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap DipoleEdge::map_to(int order) const {
  const auto c = detail::edge_coefficients(edge());
  TransferMap map = TransferMap::identity(std::min(order, 2));
  map.R(2, 1) = c[detail::edge_h] * c[detail::edge_tangent];
  map.R(4, 3) = -c[detail::edge_h] * c[detail::edge_linear];
  if (map.order > 1) {
    map.T(2, 6, 1) = -map.R(2, 1);
    map.T(4, 6, 3) = -map.R(4, 3);
  }
  return misaligned(map, misalignment);
}

TRACKPLEX_INLINE void DipoleEdge::add_steps(StepBuilder& to) const {
  if (curvature == 0.) return;
  to.placed(misalignment, [&] { to.add(steps::Edge{edge()}); });
}

TRACKPLEX_INLINE BendEdge DipoleEdge::edge() const {
  return {.effects = EdgeEffects::linear,
          .angle = angle,
          .radius = 1. / curvature,
          .half_gap = half_gap,
          .fringe = fringe};
}

}  // namespace trackplex::beam
