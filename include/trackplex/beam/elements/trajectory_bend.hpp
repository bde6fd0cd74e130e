// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

/// @file
/// Bending magnets by integration of the equations of a trajectory, as the element KSBEND of the
/// accelerator code elegant (M. Borland): in the curved system of an axis of curvature h, with
/// derivatives by its arc length, the path \f$T'=\sqrt{x'^2+y'^2+(1+hx)^2}\f$ per arc and the
/// field F in units of the field on the axis (see `bend_field`),
/// \f[ x''=\frac{1}{1+hx}\Bigl(\frac{(1+\mathrm{FSE})h\,T'}{1+\delta}
///      \bigl(F_xx'y'-F_y(T'^2-y'^2)\bigr)+h(T'^2-y'^2+x'^2)\Bigr),\f]
/// \f[ y''=\frac{1}{1+hx}\Bigl(\frac{(1+\mathrm{FSE})h\,T'}{1+\delta}
///      \bigl(F_x(T'^2-x'^2)-F_yx'y'\bigr)+2h\,x'y'\Bigr).\f]
/// It is not symplectic: use `CanonicalBend` for very many turns.

namespace trackplex::beam {

/// Bend by its trajectories (KSBEND).
struct TrajectoryBend {
  /// The magnet; its `slices` are steps, and its field is of order 4 in x and y, or linear if it is
  /// not `nonlinear`. Corrector kicks, error tilt, expanded slopes, the orbit correction, quantum
  /// radiation and a k0 that does not match the axis are refused; edges have the radius of the
  /// axis.
  CanonicalBend magnet{};
  bool is_leap_frog = false;  ///< Whether steps are drifts and kicks instead of the midpoint rule.
  bool is_paraxial = false;   ///< Whether slopes are neglected in the forces.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "bend";
  double length() const { return magnet.length; }
  double strength() const { return magnet.angle; }
  bool is_whole() const { return magnet.is_whole(); }
  AxisBend axis_bend() const { return magnet.axis_bend(); }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return magnet.map_to(order); }
  void add_steps(StepBuilder& to) const;
  TrajectoryBend part(int i, int n) const { return {magnet.part(i, n), is_leap_frog, is_paraxial}; }
  TrajectoryBend reversed() const { return {magnet.reversed(), is_leap_frog, is_paraxial}; }
  /// @}
};

namespace detail {

/// Coefficients of `pass_trajectory`, in this order; then the coefficients of the field.
enum TrajectoryCoefficient {
  trajectory_steps,
  trajectory_step,      // m
  trajectory_h,         // 1/m
  trajectory_field,     // 1/m
  trajectory_leaps,     // whether by the leap-frog rule
  trajectory_paraxial,  // whether slopes are neglected in forces
  trajectory_entrance,  // tangents of the edges
  trajectory_exit,
  trajectory_radiation,  // coefficients of ClassicalRadiation; the first is 0 without
  trajectory_order = trajectory_radiation + ClassicalRadiation<double>::n_coefficients,  // of field
  n_trajectory_coefficients
};

/// Derivatives of x, x', y, y', of the path relative to the axis, and of delta.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Particle<Real> trajectory_derivatives(const ScalarOf<Real>* c,
                                                                  const Particle<Real>& q) {
  using T = ScalarOf<Real>;
  const Real one(1), h(c[trajectory_h]), hx = h * q[x], stretched = one + hx;
  const bool is_paraxial = c[trajectory_paraxial] != T(0);
  const Real zero(0), ax = is_paraxial ? zero : q[xp], ay = is_paraxial ? zero : q[yp];
  const Real ax2 = ax * ax, ay2 = ay * ay, square = fma(stretched, stretched, ax2);
  const Real way = sqrt(square + ay2), momentum = one + q[delta];
  const auto field =
      bend_field_at(c + n_trajectory_coefficients, int(c[trajectory_order]), q[x], q[y]);
  // F_y and F_x: `x` deflects in x
  const Real force = way * Real(c[trajectory_field]) / momentum, inverse = one / stretched;
  const Real cross = ax * ay;
  Particle<Real> d;
  d[x] = q[xp];
  d[y] = q[yp];
  d[xp] = inverse * fma(force, fma(field.y, cross, -field.x * square), h * (square + ax2));
  d[yp] =
      inverse * fma(force, fma(field.y, square + ay2 - ax2, -field.x * cross), h * (cross + cross));
  d[s] = fma(hx, Real(T(2)) + hx, ax2 + ay2) / (way + one);
  d[delta] = -Real(c[trajectory_radiation]) * fma(field.x, field.x, field.y * field.y) *
             (momentum * momentum) * way;
  return d;
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Particle<Real> moved_along(const Particle<Real>& q, const Real& step,
                                                       const Particle<Real>& derivatives) {
  Particle<Real> moved;
  for (int i = 0; i < n_coordinates; ++i) moved[i] = fma(step, derivatives[i], q[i]);
  return moved;
}

/// Modified midpoint rule of W. B. Gragg.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void pass_by_midpoints(const ScalarOf<Real>* c, Particle<Real>& q) {
  const int steps = int(c[trajectory_steps]);
  const Real step(c[trajectory_step]), half(ScalarOf<Real>(0.5));
  Particle<Real> before = q, here = moved_along(q, step, trajectory_derivatives(c, q));
  for (int i = 1; i < steps; ++i) {
    const auto next = moved_along(before, step + step, trajectory_derivatives(c, here));
    before = here;
    here = next;
  }
  const auto next = moved_along(before, step, trajectory_derivatives(c, here));
  for (int i = 0; i < n_coordinates; ++i) q[i] = half * (next[i] + here[i]);
}

template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void pass_by_leaps(const ScalarOf<Real>* c, Particle<Real>& q) {
  const Real step(c[trajectory_step]), half = Real(ScalarOf<Real>(0.5)) * step;
  for (int i = 0; i < int(c[trajectory_steps]); ++i) {
    q[x] = fma(half, q[xp], q[x]);
    q[y] = fma(half, q[yp], q[y]);
    const auto d = trajectory_derivatives(c, q);
    q[xp] = fma(step, d[xp], q[xp]);
    q[yp] = fma(step, d[yp], q[yp]);
    q[s] = fma(step, d[s], q[s]);
    q[delta] = fma(step, d[delta], q[delta]);
    q[x] = fma(half, q[xp], q[x]);
    q[y] = fma(half, q[yp], q[y]);
  }
}

/// Moves particles through the body of a bend; returns the particles that continue along the axis.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_trajectory(const ScalarOf<Real>* c,
                                                         Particle<Real>& v) {
  using T = ScalarOf<Real>;
  const Real one(1), h(c[trajectory_h]), start = one + v[delta], s0 = v[s];
  const bool radiates = c[trajectory_radiation] != T(0);
  // an inclined edge lengthens the path in the field by x tan(E)
  const auto radiate_at_edge = [&](const Real& tangent) {
    if (radiates) v[delta] -= trajectory_derivatives(c, v)[delta] * v[x] * tangent;
  };
  const Real entrance = fma(h, v[x], one);
  v[xp] *= entrance;
  v[yp] *= entrance;
  v[s] = Real(0);
  radiate_at_edge(Real(c[trajectory_entrance]));
  if (c[trajectory_leaps] != T(0)) {
    pass_by_leaps(c, v);
  } else {
    pass_by_midpoints(c, v);
  }
  radiate_at_edge(Real(c[trajectory_exit]));
  const Real exit = fma(h, v[x], one);
  v[xp] /= exit;
  v[yp] /= exit;
  v[s] += s0;
  const Real momentum = one + v[delta], most(T(1e6));
  if (radiates) ClassicalRadiation<T>(c + trajectory_radiation).keep_time(start, v);
  return exit > Real(0) && momentum > Real(0) && abs(v[xp]) < most && abs(v[yp]) < most;
}

}  // namespace detail

namespace steps {

/// Body of a bend by its trajectories.
struct TrajectoryBend {
  beam::TrajectoryBend bend;  ///< The bend.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return detail::pass_trajectory(c, v);
  }
  /// @}
};

}  // namespace steps

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/trajectory_bend.impl.hpp>
#endif
