// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Forces of potentials on a grid, and kicks of particles by them.

#include <trackplex/beam/collective/detail/grid_particles.hpp>
#include <trackplex/core/quartet.hpp>

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

/// Node below particles; lanes without a particle get one that has all neighbours, too.
template <class Real, class Double>
KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Double> node_with_neighbours(
    const GridShape& shape, const Tile<Real>& tile, const GridPlaces<Double>& place) {
  using Index = IntegerOf<Double>;
  const int inner = (shape.has_middle() ? (shape.y + 1) * shape.z : shape.z) + 1;
  return select(Tile<Double>{tile.first, tile.count}.mask(), node_below(shape, place),
                Index(ScalarOf<Index>(inner)));
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
    const Index first = node_with_neighbours(shape, tile, place);
    // four neighbours along z: those before, below, above and after
    const auto row = [&](int i, int j) {
      return gather_four<Double>(potential + (std::int64_t(i) * shape.y + j) * shape.z - 1, first);
    };
    const Double one(1), wx[2] = {one - px.fraction, px.fraction},
                         wy[2] = {one - py.fraction, py.fraction},
                         wz[2] = {one - pz.fraction, pz.fraction};
    const Quartet<Double> rows[2][2] = {{row(0, 0), row(0, 1)}, {row(1, 0), row(1, 1)}};
    Kokkos::Array<Double, 3> force{{Double(0), Double(0), Double(0)}};
    for (int a = 0; a < 2; ++a) {
      const Quartet<Double> before_x = row(-1, a), after_x = row(2, a), before_y = row(a, -1),
                            after_y = row(a, 2);
      const auto &x0 = rows[0][a], &x1 = rows[1][a], &y0 = rows[a][0], &y1 = rows[a][1];
      force[0] =
          fma(wy[a] * wz[0], difference_between(px, before_x.y, x0.y, x1.y, after_x.y), force[0]);
      force[0] =
          fma(wy[a] * wz[1], difference_between(px, before_x.z, x0.z, x1.z, after_x.z), force[0]);
      force[1] =
          fma(wx[a] * wz[0], difference_between(py, before_y.y, y0.y, y1.y, after_y.y), force[1]);
      force[1] =
          fma(wx[a] * wz[1], difference_between(py, before_y.z, y0.z, y1.z, after_y.z), force[1]);
      for (int b = 0; b < 2; ++b) {
        const auto& line = rows[a][b];
        force[2] =
            fma(wx[a] * wy[b], difference_between(pz, line.x, line.y, line.z, line.w), force[2]);
      }
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
    const Index first = node_with_neighbours(shape, tile, place);
    const Index of_line = as_index(pz.node);
    const auto mask = Tile<Double>{tile.first, tile.count}.mask();
    // four neighbours along y: those before, below, above and after
    const auto row = [&](int i) {
      return gather_four<Double>(potential + std::int64_t(i) * shape.z - 1, first);
    };
    const auto count = [&](int i) {
      return convert<Double>(gather<Index>(line + i, of_line, mask));
    };
    const Double one(1), wx[2] = {one - px.fraction, px.fraction},
                         wy[2] = {one - py.fraction, py.fraction};
    const Quartet<Double> before_x = row(-1), rows[2] = {row(0), row(1)}, after_x = row(2);
    const Double below = count(0), above = count(1);
    const Double here = fma(pz.fraction, above - below, below);
    Double force_x(0), force_y(0), force_z(0);
    force_x =
        fma(wy[0], difference_between(px, before_x.y, rows[0].y, rows[1].y, after_x.y), force_x);
    force_x =
        fma(wy[1], difference_between(px, before_x.z, rows[0].z, rows[1].z, after_x.z), force_x);
    for (int a = 0; a < 2; ++a)
      force_y =
          fma(wx[a], difference_between(py, rows[a].x, rows[a].y, rows[a].z, rows[a].w), force_y);
    if (along_too) {
      const Double mean = fma(wx[0], fma(wy[1], rows[0].z, wy[0] * rows[0].y),
                              wx[1] * fma(wy[1], rows[1].z, wy[0] * rows[1].y));
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
