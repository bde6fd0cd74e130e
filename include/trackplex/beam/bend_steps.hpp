// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/radiation.hpp>
#include <trackplex/beam/thick_multipole.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

/// @file
/// Bending magnets by symplectic integration in the curved system of the axis: exact drifts in
/// polar coordinates, kicks of a field that fulfils Maxwell's equations there, and edges.

namespace trackplex::beam {

/// Field of a bending magnet in units of that of the reference particle's curve, as a polynomial in
/// x and y, m, to a total order.
struct BendField {
  int order = 0;                   ///< Highest order i + j of x^i y^j.
  std::vector<double> polynomial;  ///< Coefficients of x^i y^j: for j from `order` down, for i from
                                   ///< `order` - j down. Even j: of F_y; odd j: of F_x.
  double horizontal = 0.;          ///< Constant of F_x.
};

/// Returns the field of a sector magnet of curvature h, 1/m, with the multipoles b_n, 1/m^n, of
/// n = 1, 2, ... beside the dipole of strength 1: on the midplane
/// \f$F_y=A_1(x)=1+\sum b_nx^n/n!\f$, elsewhere
/// \f[ F_y=\sum_k A_{2k+1}\frac{y^{2k}}{(2k)!},\quad F_x=\sum_k A'_{2k+1}\frac{y^{2k+1}}{(2k+1)!},
///     \quad A_{k+2}=-\Bigl(A_k''+\frac h{1+hx}A_k'\Bigr), \f]
/// to a total order of i + j <= `order`.
inline BendField bend_field(double h, const std::vector<double>& multipoles, int order) {
  const bool is_dipole = std::ranges::all_of(multipoles, [](double b) { return b == 0.; });
  if (is_dipole) order = 0;
  const auto size = std::size_t(order) + 1;
  BendField field{order, {}, 0.};
  using Series = std::vector<double>;
  std::vector<Series> of_y(size, Series(size, 0.));  // [j][i]
  Series a(size + 2, 0.);
  a[0] = 1.;
  double factorial = 1.;
  for (std::size_t n = 1; n < size && n <= multipoles.size(); ++n)
    a[n] = multipoles[n - 1] / (factorial *= double(n));
  const auto derivative = [](const Series& f) {
    Series d(f.size(), 0.);
    for (std::size_t i = 1; i < f.size(); ++i) d[i - 1] = double(i) * f[i];
    return d;
  };
  double per_factorial = 1.;
  for (int j = 0; j <= order; j += 2) {
    const Series first = derivative(a), second = derivative(first);
    for (int i = 0; i + j <= order; ++i) of_y[j][i] = a[i] * per_factorial;
    for (int i = 0; i + j + 1 <= order; ++i) of_y[j + 1][i] = first[i] * per_factorial / (j + 1);
    per_factorial /= (j + 1) * (j + 2);
    for (std::size_t i = 0; i < a.size(); ++i) {
      double curved = 0.;  // h/(1 + h x) A', with 1/(1 + h x) = 1 - h x + (h x)^2 - ...
      for (std::size_t k = 0; k <= i; ++k) curved += std::pow(-h, double(i - k)) * h * first[k];
      a[i] = -(second[i] + curved);
    }
  }
  for (int j = order; j >= 0; --j)
    for (int i = order - j; i >= 0; --i) field.polynomial.push_back(of_y[j][i]);
  return field;
}

/// Effects of an edge of a bend on particles.
enum class EdgeEffects : int {
  none = 0,       ///< None.
  slopes = 1,     ///< Kicks of the slopes.
  hwang = 2,      ///< Canonical map of the fringe field by K. Hwang and S. Y. Lee.
  canonical = 3,  ///< The kicks of first order, of the canonical momenta.
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
};

/// Slices of a bend.
struct BendBody {
  double length = 0.;         ///< Length along the axis, m.
  double angle = 0.;          ///< Angle, rad, above 0.
  double field_angle = 0.;    ///< Angle that the field bends the reference particle by, rad.
  BendField field{};          ///< Field.
  int slices = 4;             ///< Number of slices, at least 1.
  int integration_order = 4;  ///< Order of the integration: 2, 4 or 6.
  bool expanded = false;      ///< Whether the Hamiltonian is expanded in the slopes.
  bool is_corrected = false;  ///< Whether the reference particle's deviation is subtracted.
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

/// Field of `BendField` at a place.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION FieldKick<Real> bend_field_at(const ScalarOf<Real>* polynomial,
                                                          int order, const Real& x, const Real& y) {
  Real even(0), odd(0);
  for (int j = order; j >= 0; --j) {
    Real row(0);
    for (int i = order - j; i >= 0; --i) row = fma(row, x, Real(*polynomial++));
    Real& sum = j % 2 == 0 ? even : odd;
    sum = fma(y, y * sum, row);
  }
  return {even, y * odd};
}

/// Coefficients of `BendSlices`, in this order; then drifts and kicks, alternating, and those of
/// the field.
enum BendCoefficient {
  bend_kicks,  // in a slice
  bend_slices,
  bend_order,       // of the field
  bend_h,           // 1/m
  bend_radius,      // m
  bend_per_radius,  // of the field, 1/m
  bend_horizontal,  // constant of the field
  bend_correction,  // of x, q_x and s, subtracted behind each slice
  n_bend_coefficients = bend_correction + 3
};

/// Four numbers for each drift: sine and 1 - cosine of its angle, radius (sine - angle), length.
inline constexpr int n_drift_coefficients = 4;

/// Drift in polar coordinates around the centre of the curve. With the momenta p_z = sqrt((1 +
/// delta)^2 - qx^2 - qy^2) before and P_z behind, turned by the angle t,
///   P_z = p_z cos t - qx sin t, x -> x + (R + x) (p_z - P_z)/P_z, y -> y + qy (R + x) sin t/P_z,
/// and the way is (1 + delta) (R + x) sin t/P_z, less R t.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> drift_polar(const ScalarOf<Real>* c, const Real& radius,
                                                     const Real& momentum, Particle<Real>& v) {
  const Real sine(c[0]), versine(c[1]);
  const Real square = fma(momentum, momentum, -v[yp] * v[yp]);
  const Real pz2 = fma(-v[xp], v[xp], square), pz = sqrt(pz2);
  const Real turned_x = fma(pz, sine, fma(-v[xp], versine, v[xp]));
  const Real less = fma(pz, versine, v[xp] * sine), turned_z = pz - less;
  const Real inverse = Real(1) / turned_z, outer = radius + v[x];
  const Real q2 = fma(turned_x, turned_x, v[yp] * v[yp]);
  const Real longer = fma(momentum, v[x], radius * (q2 / (momentum + turned_z)));
  v[s] += fma(sine * longer, inverse, Real(c[2]));
  v[y] = fma(v[yp], outer * (sine * inverse), v[y]);
  v[x] = fma(outer, less * inverse, v[x]);
  v[xp] = turned_x;
  return pz2 > Real(0) && turned_z > Real(0);
}

/// The same with expanded slopes: q_x grows by half of the angle times 1 + delta before and behind.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void drift_expanded(const Real& length, const Real& h,
                                                const Real& momentum, Particle<Real>& v) {
  const Real half(ScalarOf<Real>(0.5)), bent = half * length * h * momentum;
  v[xp] += bent;
  const Real square = fma(v[xp], v[xp], v[yp] * v[yp]), per_momentum = length / momentum;
  v[s] = fma(half * length, square, v[s]);
  v[x] = fma(per_momentum, v[xp], v[x]);
  v[y] = fma(per_momentum, v[yp], v[y]);
  v[xp] += bent;
}

/// Moves particles through the slices of a bend; their slopes are momenta q inside.
template <bool expanded, class Real, class Radiation>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_bend(const ScalarOf<Real>* c, Radiation radiation,
                                                   Particle<Real>& v,
                                                   [[maybe_unused]] const Real& entrance = Real(0),
                                                   [[maybe_unused]] const Real& exit = Real(0)) {
  const int n_kicks = int(c[bend_kicks]), slices = int(c[bend_slices]), order = int(c[bend_order]);
  const ScalarOf<Real>* const scheme = c + n_bend_coefficients;
  const int stride = n_drift_coefficients + 1;
  const ScalarOf<Real>* const field = scheme + n_kicks * stride + n_drift_coefficients;
  const Real one(1), h(c[bend_h]), radius(c[bend_radius]), start = one + v[delta];
  Real momentum = start;
  MaskOf<Real> forward = momentum > Real(0);
  if constexpr (expanded) {
    v[xp] *= momentum;
    v[yp] *= momentum;
  } else {
    to_momenta(v);
  }
  const auto drift = [&](const ScalarOf<Real>* coefficients) {
    if constexpr (expanded) {
      drift_expanded(Real(coefficients[3]), h, momentum, v);
    } else {
      forward = drift_polar(coefficients, radius, momentum, v) && forward;
    }
  };
  const auto field_at = [&] {
    const auto at = bend_field_at(field, order, v[x], v[y]);
    return FieldKick<Real>{at.x, at.y + Real(c[bend_horizontal])};
  };
  [[maybe_unused]] const auto radiate = [&](const FieldKick<Real>& at, const Real& length,
                                            bool is_kick) {
    const Real before = momentum, stretched = fma(h, v[x], one);
    const Real q2 = fma(v[xp], v[xp], v[yp] * v[yp]), square = fma(at.x, at.x, at.y * at.y);
    const Real way = stretched * sqrt(one + q2 / fma(momentum, momentum, -q2));
    momentum = is_kick ? radiation.momentum_behind_kick(momentum, square, length * way, way)
                       : radiation.momentum_behind(momentum, square, length * way);
    v[xp] *= momentum / before;
    v[yp] *= momentum / before;
  };
  if constexpr (Radiation::radiates) radiate(field_at(), entrance * -v[x], false);
  for (int slice = 0; slice < slices; ++slice) {
    for (int i = 0; i < n_kicks; ++i) {
      drift(scheme + i * stride);
      const Real length(scheme[i * stride + n_drift_coefficients]);
      const auto at = field_at();
      const Real stretched = fma(h, v[x], one);
      const Real kick = length * stretched * Real(c[bend_per_radius]);
      v[xp] = fma(-kick, at.x, v[xp]);
      v[yp] = fma(kick, at.y, v[yp]);
      if constexpr (Radiation::radiates) radiate(at, length, true);
    }
    drift(scheme + n_kicks * stride);
    v[x] -= Real(c[bend_correction]);
    v[xp] -= Real(c[bend_correction + 1]);
    v[s] -= Real(c[bend_correction + 2]);
  }
  if constexpr (Radiation::radiates) {
    radiate(field_at(), exit * -v[x], false);
    v[delta] = momentum - one;
    radiation.keep_time(start, v);
  }
  if constexpr (!expanded) return to_slopes(v) && forward;
  v[xp] /= momentum;
  v[yp] /= momentum;
  return forward;
}

inline std::vector<double> bend_coefficients(const BendBody& body) {
  const IntegrationScheme scheme = integration_scheme(body.integration_order);
  if (body.slices < 1) throw UsageError("bend", "it needs slices", std::to_string(body.slices));
  const double radius = body.length / body.angle, slice = body.length / body.slices;
  std::vector<double> c(n_bend_coefficients);
  c[bend_kicks] = double(scheme.kicks.size());
  c[bend_slices] = body.slices;
  c[bend_order] = body.field.order;
  c[bend_h] = body.angle / body.length;
  c[bend_radius] = radius;
  c[bend_per_radius] = body.field_angle / body.length;
  c[bend_horizontal] = body.field.horizontal;
  for (std::size_t i = 0; i < scheme.drifts.size(); ++i) {
    const double length = scheme.drifts[i] * slice, angle = length / radius;
    const double half_sine = std::sin(0.5 * angle);
    // sin(t) - t by its series where the difference would lose digits
    const double t2 = angle * angle;
    const double less = std::abs(angle) < 0.1
                            ? -angle * t2 / 6. * (1. - t2 / 20. * (1. - t2 / 42. * (1. - t2 / 72.)))
                            : std::sin(angle) - angle;
    c.insert(c.end(), {std::sin(angle), 2. * half_sine * half_sine, radius * less, length});
    if (i < scheme.kicks.size()) c.push_back(scheme.kicks[i] * slice);
  }
  c.insert(c.end(), body.field.polynomial.begin(), body.field.polynomial.end());
  if (!body.is_corrected) return c;
  auto once = c;
  once[bend_slices] = 1.;
  Particle<double> v{};
  const NoRadiation none;
  body.expanded ? pass_bend<true>(once.data(), none, v) : pass_bend<false>(once.data(), none, v);
  c[bend_correction] = v[x];
  c[bend_correction + 1] = v[xp] / std::sqrt(1. + v[xp] * v[xp]);
  c[bend_correction + 2] = v[s];
  return c;
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
  n_edge_coefficients
};

inline std::vector<double> edge_coefficients(const BendEdge& edge) {
  const double sine = std::sin(edge.angle), secant = 1. / std::cos(edge.angle);
  const double gap = 2. * edge.half_gap, extent = edge.fringe * gap * (1. + sine * sine);
  std::vector<double> c(n_edge_coefficients);
  c[edge_effects] = double(edge.effects);
  c[edge_order] = edge.order;
  c[edge_side] = edge.is_exit ? 1. : -1.;
  c[edge_tangent] = std::tan(edge.angle);
  c[edge_secant] = secant;
  c[edge_h] = 1. / edge.radius;
  c[edge_psi] = extent * secant / std::abs(edge.radius);
  c[edge_index] = -edge.gradient * edge.axis_radius;
  c[edge_curve] = edge.curve;
  c[edge_gap] = gap;
  c[edge_gap2] = gap * gap * std::numbers::pi * std::numbers::pi / 6.;
  c[edge_fringe] = extent * secant * secant * secant;
  return c;
}

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
  const Real r43 = -h * tangent_less(tangent, Real(c[edge_psi]) * momentum);
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
  if (c[edge_effects] == T(EdgeEffects::hwang)) {
    pass_edge_of_hwang(c, momentum, v);
  } else {
    kick_edge(c, Real(c[edge_h]), momentum, v);
  }
  return to_slopes(v);
}

}  // namespace detail

/// Steps of bending magnets.
namespace steps {

/// Edge of a bend.
struct Edge {
  BendEdge edge;  ///< Its description.

  /// @{ @brief As of all steps, see step.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << s) - 1;
  std::vector<double> coefficients() const { return detail::edge_coefficients(edge); }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return detail::pass_edge(c, v);
  }
  /// @}
};

/// Slices of a bend.
/// @tparam expanded whether the Hamiltonian is expanded in the slopes
template <bool expanded>
struct Bend {
  BendBody body;  ///< Their description.

  /// @{ @brief As of all steps, see step.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const { return detail::bend_coefficients(body); }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return detail::pass_bend<expanded>(c, NoRadiation{}, v);
  }
  /// @}
};

/// Slices of a bend with classical synchrotron radiation. Where an edge is inclined, the path in
/// the field is longer or shorter by x tan(E): its loss is added there.
struct RadiatingBend {
  BendBody body;    ///< Their description.
  double entrance;  ///< Angle of the entrance edge, rad.
  double exit;      ///< Angle of the exit edge, rad.

  /// @{ @brief As of all steps, see step.hpp.
  static constexpr bool is_long = true;
  std::vector<double> coefficients(const ElementPass& pass) const {
    return with_bend(ClassicalRadiation<double>::coefficients(pass, body.length));
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    using Radiation = ClassicalRadiation<ScalarOf<Real>>;
    const Radiation radiation(c);
    const ScalarOf<Real>* const edges = c + Radiation::n_coefficients;
    return detail::pass_bend<false>(edges + 2, radiation, v, Real(edges[0]), Real(edges[1]));
  }
  /// @}

  /// Returns the coefficients of radiation, for a field relative to that of the curve, and those of
  /// the bend.
  std::vector<double> with_bend(std::vector<double> radiation) const {
    radiation[0] *= body.field_angle * body.field_angle / body.length;
    radiation.insert(radiation.end(), {std::tan(entrance), std::tan(exit)});
    const auto slices = detail::bend_coefficients(body);
    radiation.insert(radiation.end(), slices.begin(), slices.end());
    return radiation;
  }
};

/// The same, with synchrotron radiation in quanta, whose random part is that of the slices only.
struct QuantumBend {
  RadiatingBend bend;  ///< The bend.
  bool loses = true;   ///< Whether there is the mean loss, too.

  /// @{ @brief As of all steps, see step.hpp.
  static constexpr bool is_long = true;
  std::vector<double> coefficients(const ElementPass& pass) const {
    const BendBody& body = bend.body;
    const int kicks = body.slices * int(integration_scheme(body.integration_order).kicks.size());
    auto values = QuantumRadiation<double>::coefficients(pass, body.length, kicks);
    if (!loses) values[0] = 0.;
    values.back() *= std::pow(body.field_angle, 1.5);
    return bend.with_bend(values);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       const StepPlace<Real>& place) {
    using Radiation = QuantumRadiation<Real>;
    const ScalarOf<Real>* const edges = c + Radiation::n_coefficients;
    return detail::pass_bend<false>(edges + 2, Radiation(c, place.random()), v, Real(edges[0]),
                                    Real(edges[1]));
  }
  /// @}
};

}  // namespace steps

}  // namespace trackplex::beam
