// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>

#include <algorithm>
#include <array>

namespace trackplex::beam::detail {

/// Returns the Taylor map to first or second order of a pass,
/// `pass(Particle<double>&)`, about the axis: from fourth-order differences, with steps of 30 um
/// and 30 urad.
template <class Pass>
TransferMap differenced_map(const Pass& pass, int order) {
  constexpr double h = 3e-5;
  using Vector = TransferMap::Vector;
  const auto at = [&](int j, double a, int k = 0, double b = 0.) {
    Particle<double> v{};
    v[j] += a;
    v[k] += b;
    pass(v);
    Vector behind;
    for (int i = 0; i < n_coordinates; ++i) behind[i] = v[i];
    return behind;
  };
  TransferMap map = TransferMap::identity(std::min(order, 2));
  const Vector zero = at(0, 0.);
  for (int i = 0; i < n_coordinates; ++i) map.component[i].c = zero[i];
  for (int j = 0; j < n_coordinates; ++j) {
    const Vector up = at(j, h), down = at(j, -h), up2 = at(j, 2. * h), down2 = at(j, -2. * h);
    for (int i = 0; i < n_coordinates; ++i) {
      auto& p = map.component[i];
      p.r[j] = (8. * (up[i] - down[i]) - (up2[i] - down2[i])) / (12. * h);
      if (map.order < 2) continue;
      const double near = (up[i] - zero[i]) + (down[i] - zero[i]);
      const double far = (up2[i] - zero[i]) + (down2[i] - zero[i]);
      p.t[pair_index(j, j)] = 0.5 * (16. * near - far) / (12. * h * h);
    }
    for (int k = 0; k < j && map.order > 1; ++k) {
      const auto mixed = [&](double l) {
        const Vector a = at(j, l, k, l), b = at(j, -l, k, -l), c = at(j, l, k, -l);
        const Vector d = at(j, -l, k, l);
        Vector difference;
        for (int i = 0; i < n_coordinates; ++i)
          difference[i] = ((a[i] - c[i]) + (b[i] - d[i])) / (4. * l * l);
        return difference;
      };
      const Vector near = mixed(h), far = mixed(2. * h);
      for (int i = 0; i < n_coordinates; ++i)
        map.component[i].t[pair_index(j, k)] = (4. * near[i] - far[i]) / 3.;
    }
  }
  return map;
}

}  // namespace trackplex::beam::detail
