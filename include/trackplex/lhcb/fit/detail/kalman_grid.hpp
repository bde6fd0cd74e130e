// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>
#include <trackplex/lhcb/fit/detail/kalman_noise.hpp>
#include <trackplex/lhcb/fit/kalman_state.hpp>
#include <trackplex/lhcb/fit/kalman_tables.hpp>

namespace trackplex::lhcb::detail {

/// KalmanGrid with its cells in the memory space of the kernels. Coefficients are interpolated to
/// second order between six cells around x, y, those at both sides of the nearest cell and one at a
/// corner. They are those of polynomials in \f$ f = p_\mathrm{min}\,q/p \f$ and linear functions
/// of the differences \f$ u_x, u_y \f$ of the slopes from those expected of a track from the
/// origin:
///
/// \f[ x' = x + t_x \Delta z + \sum_n (x_n + x^{10}_n u_x + x^{01}_n u_y) f^{n+1} \f]
template <class T, class MemorySpace>
struct KalmanCells {
  KalmanGrid<T> grid;                          ///< grid
  T sign;                                      ///< of q/p: -1 if the magnet points up
  Kokkos::View<T*, MemorySpace> coefficients;  ///< (x, y, term), flat

  /// Moves a state with this q/p to the end of the grid; the result keeps the q/p of the state.
  /// Derivatives by x and y are those of straight lines: the slopes expected move along.
  template <class Real>
  KOKKOS_FUNCTION KalmanStep<Real> operator()(const KalmanState<Real>& s, const Real& qop) const {
    const Real one(T(1)), q = qop * Real(sign), per_z = one / Real(grid.z_begin);
    const Real per_unit = one / Real(grid.slope_unit);
    const Real rx = s.x * per_z, ry = s.y * per_z;
    const Real of_tx =
        fma(Real(grid.tx_qop_y2), ry * ry, fma(Real(grid.tx_qop_x2), rx * rx, Real(grid.tx_qop)));
    const Real of_ty = Real(grid.ty_qop_xy) * rx * ry;
    const Slopes<Real> u{(s.tx - rx - of_tx * q) * per_unit, (s.ty - ry - of_ty * q) * per_unit,
                         of_tx * per_unit, of_ty * per_unit, per_unit};
    const Real f = q * Real(grid.min_p), f_per_q = Real(grid.min_p * sign);
    const Cell<Real> cell(grid, rx, ry);
    auto step = no_bend(s, Real(grid.z_end));
    // begin and number of the coefficients of x, tx, x10, x01, tx10, ...
    add<9, 7>(cell, 0, 18, 25, u, f, f_per_q, step.state.x, step.d[0]);
    add<9, 7>(cell, 9, 32, 39, u, f, f_per_q, step.state.tx, step.d[2]);
    add<7, 5>(cell, 46, 60, 65, u, f, f_per_q, step.state.y, step.d[1]);
    add<7, 5>(cell, 53, 70, 75, u, f, f_per_q, step.state.ty, step.d[3]);
    return step;
  }

 private:
  /// Differences of the slopes from those expected, and their derivatives.
  template <class Real>
  struct Slopes {
    Real ux, uy;          ///< differences, in slope_unit
    Real ux_qop, uy_qop;  ///< minus their derivatives by the signed q/p
    Real per_unit;        ///< derivative by the slope
  };

  /// Cells around a point and their weights.
  template <class Real>
  struct Cell {
    static constexpr int count = 6;
    IntegerOf<Real> first[count];
    Real weight[count];

    KOKKOS_FUNCTION Cell(const KalmanGrid<T>& grid, const Real& rx, const Real& ry) {
      using I = ScalarOf<IntegerOf<Real>>;
      const Real one(T(1)), half(T(0.5)), zero(T(0));
      Real gx, gy;
      const auto ix = index(rx / Real(grid.max_tx), grid.nx, gx);
      const auto iy = index(ry / Real(grid.max_ty), grid.ny, gy);
      const auto to_x = select(gx < zero, IntegerOf<Real>(I(-1)), IntegerOf<Real>(I(1)));
      const auto to_y = select(gy < zero, IntegerOf<Real>(I(-1)), IntegerOf<Real>(I(1)));
      const auto at = [&](const auto& x, const auto& y) {
        return (x * IntegerOf<Real>(I(grid.ny)) + y) * IntegerOf<Real>(I(grid.terms));
      };
      const IntegerOf<Real> next(I(1));
      first[0] = at(ix, iy);
      first[1] = at(ix + next, iy);
      first[2] = at(ix - next, iy);
      first[3] = at(ix, iy + next);
      first[4] = at(ix, iy - next);
      first[5] = at(ix + to_x, iy + to_y);
      const Real corner = abs(gx * gy);
      weight[0] = one - gx * gx - gy * gy + corner;
      weight[1] = half * (gx * gx + gx) - select(gx < zero, zero, corner);
      weight[2] = half * (gx * gx - gx) - select(gx < zero, corner, zero);
      weight[3] = half * (gy * gy + gy) - select(gy < zero, zero, corner);
      weight[4] = half * (gy * gy - gy) - select(gy < zero, corner, zero);
      weight[5] = corner;
    }

    /// Cell of a coordinate from -1 to 1, not at the border, and the distance from its middle.
    KOKKOS_FORCEINLINE_FUNCTION static IntegerOf<Real> index(const Real& relative, int n,
                                                             Real& off) {
      const Real one(T(1)), place = Real(T(0.5) * T(n)) * (relative + one);
      const Real inside = select(place > one, min(place, Real(T(n - 2))), one);  // also of NaN
      const auto cell = convert<IntegerOf<Real>>(inside);
      off = place - convert<Real>(cell) - Real(T(0.5));
      return cell;
    }
  };

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real coefficient(const Cell<Real>& cell, int term) const {
    using Integer = IntegerOf<Real>;
    const Integer offset(ScalarOf<Integer>{static_cast<ScalarOf<Integer>>(term)});
    const MaskOf<Real> all(true);
    Real sum(T(0));
    for (int i = 0; i < Cell<Real>::count; ++i)
      sum =
          fma(cell.weight[i], gather<Real>(coefficients.data(), cell.first[i] + offset, all), sum);
    return sum;
  }

  /// Adds the polynomial of N coefficients, of which the first M change with the slopes, to a value
  /// and its derivatives.
  template <int N, int M, class Real>
  KOKKOS_FUNCTION void add(const Cell<Real>& cell, int c, int c10, int c01, const Slopes<Real>& u,
                           const Real& f, const Real& f_per_q, Real& value, Real (&d)[4]) const {
    Real sum(T(0)), by_f(T(0)), by_ux(T(0)), by_uy(T(0));  // by_f: of the sum times f, by f
    for (int n = N - 1; n >= 0; --n) {
      Real term = coefficient(cell, c + n);
      if (n < M) {
        const Real x = coefficient(cell, c10 + n), y = coefficient(cell, c01 + n);
        term = fma(y, u.uy, fma(x, u.ux, term));
        by_ux = fma(by_ux, f, x);
        by_uy = fma(by_uy, f, y);
      }
      by_f = fma(by_f, f, term * Real(T(n + 1)));
      sum = fma(sum, f, term);
    }
    by_ux = by_ux * f;
    by_uy = by_uy * f;
    value = fma(sum, f, value);
    d[1] = fma(by_ux, u.per_unit, d[1]);
    d[2] = fma(by_uy, u.per_unit, d[2]);
    d[3] = fma(by_f, f_per_q, -Real(sign) * fma(by_ux, u.ux_qop, by_uy * u.uy_qop));
  }
};

}  // namespace trackplex::lhcb::detail
