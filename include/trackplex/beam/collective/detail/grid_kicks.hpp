// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Forces of potentials on a grid, and kicks of particles by them.

#include <trackplex/beam/collective/detail/grid_particles.hpp>

#include <cstdint>
#include <type_traits>

namespace trackplex::beam::detail {

/// Differences of a potential along an axis about two neighbouring nodes, interpolated.
template <class Double>
KOKKOS_FORCEINLINE_FUNCTION Double difference_between(const GridPlace<Double>& at,
                                                      const Double& before, const Double& below,
                                                      const Double& above, const Double& after) {
  return fma(at.fraction, below - after, (Double(1) - at.fraction) * (before - above));
}

/// Minus the gradient of a potential in the nodes of a grid, times the lengths of two cells:
/// centred differences, interpolated as the charge is shared.
template <class Real>
struct ForceInSpace {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;
  using Index = IntegerOf<Double>;

  GridParticles<Real, true> particles;
  GridShape shape;
  const double* potential;

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 3> operator()(const Tile<Real>& tile) const {
    const GridPlaces<Double> place = particles(tile);
    const GridPlace<Double>&px = place.x, &py = place.y, &pz = place.z;
    const Index first = node_below(shape, place);
    const auto mask = Tile<Double>{tile.first, tile.count}.mask();
    const auto at = [&](int i, int j, int k) {
      return gather<Double>(potential + (std::int64_t(i) * shape.y + j) * shape.z + k, first, mask);
    };
    const Double one(1), wx[2] = {one - px.fraction, px.fraction},
                         wy[2] = {one - py.fraction, py.fraction},
                         wz[2] = {one - pz.fraction, pz.fraction};
    Double c[2][2][2];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        for (int k = 0; k < 2; ++k) c[i][j][k] = at(i, j, k);
    Kokkos::Array<Double, 3> force{{Double(0), Double(0), Double(0)}};
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b) {
        force[0] = fma(wy[a] * wz[b],
                       difference_between(px, at(-1, a, b), c[0][a][b], c[1][a][b], at(2, a, b)),
                       force[0]);
        force[1] = fma(wx[a] * wz[b],
                       difference_between(py, at(a, -1, b), c[a][0][b], c[a][1][b], at(a, 2, b)),
                       force[1]);
        force[2] = fma(wx[a] * wy[b],
                       difference_between(pz, at(a, b, -1), c[a][b][0], c[a][b][1], at(a, b, 2)),
                       force[2]);
      }
    return force;
  }
};

/// The same of a projected potential times the counts of the line at the place of a particle; and
/// along the bunch the potential, less that on a wall, times minus the difference of the counts.
template <class Real>
struct ForceInProjection {
  using T = ScalarOf<Real>;
  using Double = Rebind<Real, double>;
  using Index = IntegerOf<Double>;

  GridParticles<Real, false> particles;
  GridShape shape;
  const double* potential;
  const std::int64_t* line;
  bool along_too;
  double on_wall;  ///< potential there

  KOKKOS_FORCEINLINE_FUNCTION Kokkos::Array<Double, 3> operator()(const Tile<Real>& tile) const {
    const GridPlaces<Double> place = particles(tile);
    const GridPlace<Double>&px = place.x, &py = place.y, &pz = place.z;
    const Index first = node_below(shape, place);
    const Index of_line = as_index(pz.node);
    const auto mask = Tile<Double>{tile.first, tile.count}.mask();
    const auto at = [&](int i, int j) {
      return gather<Double>(potential + std::int64_t(i) * shape.z + j, first, mask);
    };
    const auto count = [&](int i) {
      return convert<Double>(gather<Index>(line + i, of_line, mask));
    };
    const Double one(1), wx[2] = {one - px.fraction, px.fraction},
                         wy[2] = {one - py.fraction, py.fraction};
    const Double c[2][2] = {{at(0, 0), at(0, 1)}, {at(1, 0), at(1, 1)}};
    const Double below = count(0), above = count(1);
    const Double here = fma(pz.fraction, above - below, below);
    Double force_x(0), force_y(0), force_z(0);
    for (int a = 0; a < 2; ++a) {
      force_x = fma(wy[a], difference_between(px, at(-1, a), c[0][a], c[1][a], at(2, a)), force_x);
      force_y = fma(wx[a], difference_between(py, at(a, -1), c[a][0], c[a][1], at(a, 2)), force_y);
    }
    if (along_too) {
      const Double mean = fma(wx[0], fma(wy[1], c[0][1], wy[0] * c[0][0]),
                              wx[1] * fma(wy[1], c[1][1], wy[0] * c[1][0]));
      // delays grow from the head to the tail
      force_z =
          -((mean - Double(on_wall)) * difference_between(pz, count(-1), below, above, count(2)));
    }
    return {{here * force_x, here * force_y, force_z}};
  }
};

/// The kick by a force, and the change of place that it brings: at a fixed time particles keep
/// their places then, and at a fixed place their times. p_z stays above a thousandth of the
/// momentum.
template <class Real, class Force, bool FixedTime>
struct GridKick {
  using T = ScalarOf<Real>;

  BunchColumns<T> columns;
  const T* along;
  Force force;
  ArrivalTimes<T> times;
  double per_x, per_y, per_z;  ///< change of momentum over p0 per force

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real z = tile.load(along);
    const auto f = force(tile);
    using Double = std::decay_t<decltype(f[0])>;
    const Real kx = convert<Real>(f[0] * Double(per_x)), ky = convert<Real>(f[1] * Double(per_y));
    Particle<Real> v = columns.load(tile);
    const Real one(1), two(2), u = one + v[delta];
    const Real pz = u / sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
    const Real pz1 = max(pz + convert<Real>(f[2] * Double(per_z)), Real(T(1e-3)) * u),
               kz = pz1 - pz;
    const Real px2 = two * (pz * v[xp]) + kx, py2 = two * (pz * v[yp]) + ky, pz2 = pz1 + pz;
    const Real added = fma(px2, kx, fma(py2, ky, pz2 * kz));  // to u^2
    const Real u1 = sqrt(fma(u, u, added)), per_pz1 = one / pz1;
    const Real dxp = fma(-v[xp], kz, kx) * per_pz1, dyp = fma(-v[yp], kz, ky) * per_pz1;
    v[xp] = v[xp] + dxp;
    v[yp] = v[yp] + dyp;
    v[delta] = v[delta] + added / (u1 + u);
    if constexpr (FixedTime) {
      v[x] = fma(-dxp, z, v[x]);
      v[y] = fma(-dyp, z, v[y]);
      v[s] = times.s_of_delay(-(z * times.energy(one + v[delta])) * per_pz1, v[delta]);
    } else {
      v[s] = times.s_of_delay(z, v[delta]);
    }
    columns.store(tile, v);
  }
};

}  // namespace trackplex::beam::detail
