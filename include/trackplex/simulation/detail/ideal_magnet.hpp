// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <algorithm>
#include <array>

namespace trackplex::simulation::detail {

/// Deflection at a layer over that at the middle of the UT. At a large slope the field ends closer
/// to the UT, so that it deflects less, and all layers more alike.
inline double ideal_deflection(int layer, double ty) {
  constexpr std::array<double, lhcb::ut_layers> at_centre = {1.2124, 1.1443, 0.8712, 0.8209};
  const double u = ty / 0.3;
  const double u2 = u * u;
  return 1. + (at_centre[layer] - 1.) * (1. - u2 * (0.41 + 0.2 * u2));
}

/// Field integral from z to the UT along a line of slope ty = dy/dz from z_origin on the beam, T m.
/// It falls as the square of the slope, faster where the line is further from the beam at the UT,
/// and by what the field before z contributes.
inline double ideal_bdl(double ty, double z_origin, double z) {
  const double u = ty / 0.3;
  const double w = z / 800.;
  const double fall = 0.75 - 0.17 * (z_origin / 250.);
  return 0.1087 * (1. - fall * u * u) - 0.013 * w * (1. + 2. * w) / 3.;
}

inline lhcb::UtMagnetTables ideal_magnet() {
  using Tables = lhcb::UtMagnetTables;
  Tables magnet;
  for (int i = 0; i < Tables::deflection_nodes; ++i)
    for (int layer = 0; layer < lhcb::ut_layers; ++layer)
      magnet.deflection.push_back(static_cast<float>(ideal_deflection(layer, 0.01 * i)));
  const auto node = [](int axis, int i) {
    return Tables::bdl_low[axis] + Tables::bdl_step[axis] * i;
  };
  for (int k = 0; k < Tables::bdl_nodes[2]; ++k)
    for (int j = 0; j < Tables::bdl_nodes[1]; ++j)
      for (int i = 0; i < Tables::bdl_nodes[0]; ++i)
        magnet.bdl.push_back(static_cast<float>(ideal_bdl(node(0, i), node(1, j), node(2, k))));
  return magnet;
}

}  // namespace trackplex::simulation::detail
