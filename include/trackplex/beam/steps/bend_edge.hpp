// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/detail/exact_edge.hpp>
#include <trackplex/beam/steps/spin_rotation.hpp>
#include <trackplex/beam/steps/step_type.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

/// @file
/// Edges of bending magnets.

namespace trackplex::beam {

/// Effects of an edge of a bend on particles.
enum class EdgeEffects : int {
  none = 0,       ///< None.
  slopes = 1,     ///< Kicks of the slopes.
  hwang = 2,      ///< Canonical map of the fringe field by K. Hwang and S. Y. Lee.
  canonical = 3,  ///< The kicks of first order, of the canonical momenta.
  linear = 4,     ///< The same, but for all momenta that of the reference particle.
  exact = 5       ///< Rotation to the pole face, fringe field, wedge of the field (E. Forest).
};

/// Edge of a bend by symplectic integration.
struct BendEdge {
  EdgeEffects effects = EdgeEffects::slopes;  ///< Effects.
  int order = 1;                              ///< Order, 1 or 2.
  bool is_exit = false;                       ///< Whether it is the exit.
  double angle = 0.;                          ///< Angle E of the edge, rad.
  double radius = 1.;                         ///< Radius rho of the curve of the field, m.
  double half_gap = 0.;                       ///< Half of the gap between the poles, m.
  double fringe = 0.5;                        ///< Integral of the fringe field.
  double gradient = 0.;                       ///< Coefficient b_1 of the field, 1/m.
  double curve = 0.;                          ///< Curvature of the pole face, 1/m.
  double axis_radius = 1.;                    ///< Radius of the axis, m.
  double crossing = 0.;                       ///< Angle of particles to the axis there, rad, that
                                              ///< linear edges focus vertically by.
  bool correction_falls = false;              ///< Whether the correction for the fringe field is
                                              ///< over 1 + delta in second order, too (KSBEND),
                                              ///< not times it.
};

namespace detail {

/// Momenta q = (1 + delta) (x', y', 1)/sqrt(1 + x'^2 + y'^2) of particles with slopes, and back.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void to_momenta(Particle<Real>& v) {
  const Real one(1);
  const Real factor = (one + v[delta]) / sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
  v[xp] *= factor;
  v[yp] *= factor;
}
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> to_slopes(Particle<Real>& v) {
  const Real momentum = Real(1) + v[delta];
  const Real pz2 = fma(momentum, momentum, -fma(v[xp], v[xp], v[yp] * v[yp]));
  const Real factor = Real(1) / sqrt(pz2);
  v[xp] *= factor;
  v[yp] *= factor;
  return momentum > Real(0) && pz2 > Real(0);
}

/// Coefficients of edges, in this order.
enum EdgeCoefficient {
  edge_effects,
  edge_order,
  edge_side,     // -1 at the entrance, +1 at the exit
  edge_tangent,  // of the angle
  edge_secant,   // of the angle
  edge_h,        // 1/radius of the field
  edge_psi,      // correction of the angle for the extent of the fringe field
  edge_index,    // field index -b_1 times the radius of the axis
  edge_curve,    // of the pole face
  edge_gap,      // whole gap
  edge_gap2,     // pi^2/6 times the square of the gap
  edge_fringe,   // FINT gap (1 + sin^2 E)/cos^3 E
  edge_extent,   // FINT gap
  edge_linear,   // tangent of the angle that acts vertically on all momenta
  edge_falls,    // whether psi is over the momentum in second order, not times it
  n_edge_coefficients
};

std::vector<double> edge_coefficients(const BendEdge& edge);

/// tan(E - psi), from tan(E).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real tangent_less(const Real& tangent, const Real& psi) {
  const Real t = tan(psi);
  return (tangent - t) / fma(tangent, t, Real(1));
}

/// Kicks of first order: (x', y') or (q_x, q_y) change by terms of x and y times h.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void kick_edge(const ScalarOf<Real>* c, const Real& h,
                                           const Real& momentum, Particle<Real>& v) {
  using T = ScalarOf<Real>;
  const Real tangent(c[edge_tangent]);
  const Real vertical =
      c[edge_psi] == T(0) ? tangent : tangent_less(tangent, Real(c[edge_psi]) / momentum);
  v[xp] = fma(h * tangent, v[x], v[xp]);
  v[yp] = fma(-h * vertical, v[y], v[yp]);
}

/// Edge of second order: K. L. Brown, SLAC-75, with h of the particle's momentum.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void pass_edge_of_second_order(const ScalarOf<Real>* c, const Real& h,
                                                           const Real& momentum,
                                                           Particle<Real>& v) {
  const Real half(ScalarOf<Real>(0.5)), side(c[edge_side]), n(c[edge_index]);
  const Real tangent(c[edge_tangent]), secant(c[edge_secant]);
  const Real tan2 = tangent * tangent, sec2 = secant * secant, h2t = h * h * tangent;
  const Real psi(c[edge_psi]);
  const bool falls = c[edge_falls] != ScalarOf<Real>(0);
  const Real r43 = -h * tangent_less(tangent, falls ? psi / momentum : psi * momentum);
  const bool is_exit = c[edge_side] > 0;
  const Real pole = half * h * Real(c[edge_curve]) * sec2 * secant;
  const Real t211 = (is_exit ? -h2t * fma(half, tan2, n) : -n * h2t) + pole;
  const Real t233 = (is_exit ? h2t * fma(-half, tan2, n) : h2t * (n + half + tan2)) - pole;
  const Real t431 = h2t * (n + n + (is_exit ? sec2 : Real(0))) - (pole + pole);
  const Real ht = side * h * tan2, hs = side * h * sec2;
  const Real x0 = v[x], y0 = v[y], xp0 = v[xp], yp0 = v[yp];
  v[x] = fma(half * ht * x0, x0, fma(-half * hs * y0, y0, x0));
  v[xp] = xp0 + fma(h * tangent, x0,
                    fma(t211 * x0, x0, fma(t233 * y0, y0, ht * fma(y0, yp0, -x0 * xp0))));
  v[y] = fma(-ht * x0, y0, y0);
  v[yp] = yp0 + fma(r43, y0, fma(t431 * x0, y0, fma(ht * yp0, x0, hs * xp0 * y0)));
}

/// Fringe field by K. Hwang and S. Y. Lee, Phys. Rev. ST Accel. Beams 18 (2015) 122401, in the
/// canonical momenta; to second order without its cubic term where there is no gap.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void pass_edge_of_hwang(const ScalarOf<Real>* c, const Real& momentum,
                                                    Particle<Real>& v) {
  using T = ScalarOf<Real>;
  const Real h(c[edge_h]), t(c[edge_tangent]), secant(c[edge_secant]), w(c[edge_side]);
  const bool is_exit = c[edge_side] > T(0);
  const Real sec2 = secant * secant, t2 = t * t, per_momentum = Real(1) / momentum;
  const Real hd = h * per_momentum, h2d = h * hd, half(T(0.5));
  const Real x0 = v[x], y0 = v[y], qx = v[xp], qy = v[yp];
  v[x] = fma(w * sec2 * Real(c[edge_gap2]), hd, v[x]);
  v[xp] = fma(t * h, x0, v[xp]);
  if (!is_exit) v[xp] -= sec2 * t * Real(c[edge_gap2]) * h2d;  // sec^3 sin = sec^2 tan
  v[yp] = fma(-(t * h - Real(c[edge_fringe]) * h2d), y0, v[yp]);
  if (c[edge_order] < T(2)) return;
  v[x] += w * half * hd * fma(x0 * x0, t2, -y0 * y0 * sec2);
  v[y] -= w * x0 * y0 * t2 * hd;
  v[xp] -= w * fma(x0, qx, -y0 * qy) * t2 * hd;
  v[xp] += is_exit ? -fma(x0, x0, y0 * y0) * t2 * t * half * h2d
                   : y0 * y0 * fma(t2 + t2, t, t) * half * h2d;
  v[yp] += w * fma(fma(x0, qy, y0 * qx), t2, y0 * qx) * hd;
  if (is_exit) v[yp] += x0 * y0 * sec2 * t * h2d;
  if (c[edge_gap] > T(0))
    v[yp] += y0 * y0 * y0 * secant * fma(Real(T(-4)), sec2, Real(T(2))) * h2d /
             Real(T(18) * c[edge_gap]);
}

/// The exact edge, in the canonical momenta; the curve of the pole face is a sextupole there.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_exact_edge(const ScalarOf<Real>* c,
                                                         const Real& momentum, Particle<Real>& v) {
  const Real h(c[edge_h]), secant(c[edge_secant]), cosine = Real(1) / secant;
  const Real sine = Real(c[edge_tangent]) * cosine;
  const Real pole = Real(ScalarOf<Real>(0.5)) * h * Real(c[edge_curve]) * secant * secant * secant;
  const auto bow = [&] {
    v[xp] = fma(pole, fma(v[x], v[x], -v[y] * v[y]), v[xp]);
    v[yp] = fma(-(pole + pole), v[x] * v[y], v[yp]);
  };
  const bool is_exit = c[edge_side] > ScalarOf<Real>(0);
  MaskOf<Real> forward(true);
  if (is_exit) {
    bow();
    forward = rotate_in_field(h, cosine, -sine, momentum, v);
    forward = pass_fringe(-h, Real(c[edge_extent]), momentum, v) && forward;
    return rotate_in_field(Real(0), cosine, sine, momentum, v) && forward;
  }
  forward = rotate_in_field(Real(0), cosine, sine, momentum, v);
  forward = pass_fringe(h, Real(c[edge_extent]), momentum, v) && forward;
  forward = rotate_in_field(h, cosine, -sine, momentum, v) && forward;
  bow();
  return forward;
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_edge(const ScalarOf<Real>* c, Particle<Real>& v) {
  using T = ScalarOf<Real>;
  const Real momentum = Real(1) + v[delta];
  if (c[edge_effects] == T(EdgeEffects::slopes)) {
    const Real h = Real(c[edge_h]) / momentum;
    if (c[edge_order] < T(2)) {
      kick_edge(c, h, momentum, v);
    } else {
      pass_edge_of_second_order(c, h, momentum, v);
    }
    return momentum > Real(0);
  }
  to_momenta(v);
  if (c[edge_effects] == T(EdgeEffects::exact)) {
    const MaskOf<Real> forward = pass_exact_edge(c, momentum, v);
    return to_slopes(v) && forward;
  }
  if (c[edge_effects] == T(EdgeEffects::linear)) {
    v[xp] = fma(Real(c[edge_h] * c[edge_tangent]), v[x], v[xp]);
    v[yp] = fma(Real(-c[edge_h] * c[edge_linear]), v[y], v[yp]);
  } else if (c[edge_effects] == T(EdgeEffects::hwang)) {
    pass_edge_of_hwang(c, momentum, v);
  } else {
    kick_edge(c, Real(c[edge_h]), momentum, v);
  }
  return to_slopes(v);
}

}  // namespace detail

namespace steps {

/// Edge of a bend.
struct Edge {
  BendEdge edge;  ///< Its description.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const { return detail::edge_coefficients(edge); }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return detail::pass_edge(c, v);
  }
  /// Rotates by the change of the momenta, and by the field along the axis: its integral is y times
  /// the change of the field of the magnet.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       Spin<Real>& spin) {
    const Real one(1), half(ScalarOf<Real>(0.5)), momentum = one + v[delta];
    Particle<Real> before = v;
    detail::to_momenta(before);
    const MaskOf<Real> passes = detail::pass_edge(c, v);
    Particle<Real> after = v;
    detail::to_momenta(after);
    const Real along = half * Real(c[detail::edge_side] * c[detail::edge_h]) *
                       (before[y] + after[y]) * (one + spin.anomaly) / momentum;
    kick_spin(after[xp] - before[xp], after[yp] - before[yp], after[xp], after[yp], momentum, spin,
              along);
    return passes;
  }
  /// @}
};

}  // namespace steps

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/steps/detail/bend_edge.impl.hpp>
#endif
