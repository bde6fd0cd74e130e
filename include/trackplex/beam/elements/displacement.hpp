// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

namespace trackplex::beam {

/// Displacement of particles in position, direction, time and energy (MALIGN). The order is: a
/// drift along the axis; transverse positions; slopes; momentum and energy, with the time kept;
/// time.
struct Displacement {
  double dx = 0.;    ///< Term of x, m.
  double dxp = 0.;   ///< Term of x'.
  double dy = 0.;    ///< Term of y, m.
  double dyp = 0.;   ///< Term of y'.
  double dz = 0.;    ///< Distance along the axis, m.
  double dt = 0.;    ///< Term of the time, s.
  double dp = 0.;    ///< Term of delta.
  double de = 0.;    ///< Relative change of the energy gamma.
  int on_pass = -1;  ///< Turn in which it acts; below 0: all turns.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  static constexpr bool is_long = true;
  static constexpr bool keeps_spin = true;
  void check(const ElementCheck& check) const;
  /// To first order, without changes of time, momentum and energy, and for all turns.
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real one(1), dz(c[4]), p0_to_minus_2(c[8]);
    v[s] = fma(dz, sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp])), v[s]);
    v[x] += fma(dz, v[xp], Real(c[0]));
    v[y] += fma(dz, v[yp], Real(c[2]));
    v[xp] += Real(c[1]);
    v[yp] += Real(c[3]);
    const Real u = one + v[delta], u1 = u + Real(c[6]);
    const Real g2 = fma(u, u, p0_to_minus_2), g1_square = fma(u1, u1, p0_to_minus_2);
    const Real more = Real(c[7]) * g1_square;  // of the energy squared, and of u squared
    const Real u2 = sqrt(fma(u1, u1, more)), g3 = sqrt(g1_square + more);
    const Real added = fma(Real(c[6]), u + u1, more);
    const Real way = fma(v[s], p0_to_minus_2, Real(c[9])), cross = u * g3;
    v[s] = fma(way * added, one / (cross * fma(u2, sqrt(g2), cross)), v[s]);
    v[s] = fma(Real(c[5]), u2 / g3, v[s]);
    v[delta] += Real(c[6]) + more / (u1 + u2);
  }
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/displacement.impl.hpp>
#endif
