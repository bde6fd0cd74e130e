// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/steps/bend_edge.hpp>
#include <trackplex/beam/steps/bend_field.hpp>
#include <trackplex/beam/steps/canonical_multipole.hpp>
#include <trackplex/beam/steps/radiation.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

/// @file
/// Bending magnets by symplectic integration in the curved system of the axis: exact drifts in
/// polar coordinates, kicks of a field that satisfies Maxwell's equations there, and edges.

namespace trackplex::beam {

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

/// Coefficients of `BendSlices`, in this order; then alternating drifts and kicks, the drift from
/// the last kick of a slice to the first one of the next, and the coefficients of the field.
enum BendCoefficient {
  bend_kicks,  // in a slice
  bend_slices,
  bend_order,       // of the field
  bend_h,           // 1/m
  bend_radius,      // m
  bend_per_radius,  // of the field, 1/m
  bend_horizontal,  // constant of the field
  bend_correction,  // of x, q_x and s, subtracted after each slice
  n_bend_coefficients = bend_correction + 3
};

/// Four numbers for each drift: sine and 1 - cosine of its angle, radius (sine - angle), length.
inline constexpr int n_drift_coefficients = 4;

/// Drift in polar coordinates around the centre of the curve. With the momenta p_z = sqrt((1 +
/// delta)^2 - qx^2 - qy^2) before and P_z after, turned by the angle t,
///   P_z = p_z cos t - qx sin t, x -> x + (R + x) (p_z - P_z)/P_z, y -> y + qy (R + x) sin t/P_z,
/// and the path is (1 + delta) (R + x) sin t/P_z, less R t, with one division for all.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> drift_polar(const ScalarOf<Real>* c, const Real& radius,
                                                     const Real& momentum, Particle<Real>& v) {
  const Real sine(c[0]), versine(c[1]);
  const Real square = fma(momentum, momentum, -v[yp] * v[yp]);
  const Real pz2 = fma(-v[xp], v[xp], square), pz = sqrt(pz2);
  const Real turned_x = fma(pz, sine, fma(-v[xp], versine, v[xp]));
  const Real less = fma(pz, versine, v[xp] * sine), turned_z = pz - less;
  const Real sum = momentum + turned_z, per_both = Real(1) / (turned_z * sum);
  const Real inverse = per_both * sum, outer = radius + v[x];
  const Real q2 = fma(turned_x, turned_x, v[yp] * v[yp]);
  const Real longer = fma(momentum, v[x], radius * (q2 * (per_both * turned_z)));
  v[s] += fma(sine * longer, inverse, Real(c[2]));
  v[y] = fma(v[yp], outer * (sine * inverse), v[y]);
  v[x] = fma(outer, less * inverse, v[x]);
  v[xp] = turned_x;
  return pz2 > Real(0) && turned_z > Real(0);
}

/// The same with expanded slopes: q_x grows by half of the angle times 1 + delta before and after.
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

/// Moves particles through the slices of a bend; their slopes are momenta q inside. Spins turn at
/// the kicks, and with the axis in drifts.
template <bool expanded, class Real, class Radiation, class Turning = NoSpin>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_bend(const ScalarOf<Real>* c, Radiation radiation,
                                                   Particle<Real>& v,
                                                   [[maybe_unused]] const Real& entrance = Real(0),
                                                   [[maybe_unused]] const Real& exit = Real(0),
                                                   const Turning& turning = {}) {
  const int n_kicks = int(c[bend_kicks]), slices = int(c[bend_slices]), order = int(c[bend_order]);
  const ScalarOf<Real>* const scheme = c + n_bend_coefficients;
  const int stride = n_drift_coefficients + 1;
  const ScalarOf<Real>* const field = scheme + n_kicks * stride + 2 * n_drift_coefficients;
  const bool corrects =
      c[bend_correction] != 0 || c[bend_correction + 1] != 0 || c[bend_correction + 2] != 0;
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
    if constexpr (Turning::turns)
      turn_with_axis(Real(coefficients[0]), Real(coefficients[1]), turning.spin);
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
  const auto kick = [&](const Real& length) {
    const auto at = field_at();
    const Real stretched = fma(h, v[x], one);
    const Real strength = length * stretched * Real(c[bend_per_radius]);
    v[xp] = fma(-strength, at.x, v[xp]);
    v[yp] = fma(strength, at.y, v[yp]);
    if constexpr (Turning::turns)
      kick_spin(-(strength * at.x), strength * at.y, v[xp], v[yp], momentum, turning.spin);
    if constexpr (Radiation::radiates) radiate(at, length, true);
  };
  drift(scheme);
  for (int slice = 0; slice < slices; ++slice) {
    for (int i = 0; i < n_kicks; ++i) {
      const ScalarOf<Real>* const at = scheme + i * stride + n_drift_coefficients;
      kick(Real(*at));
      // Exact drifts at the end of a slice and at the start of the next one are one drift.
      const bool joined = !expanded && !corrects && i + 1 == n_kicks && slice + 1 < slices;
      drift(at + 1 + (joined ? n_drift_coefficients : 0));
    }
    if (!expanded && !corrects) continue;
    v[x] -= Real(c[bend_correction]);
    v[xp] -= Real(c[bend_correction + 1]);
    v[s] -= Real(c[bend_correction + 2]);
    if (slice + 1 < slices) drift(scheme);
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

std::vector<double> bend_coefficients(const BendBody& body);

}  // namespace detail

/// Steps of bending magnets.
namespace steps {

/// Slices of a bend.
/// @tparam expanded whether the Hamiltonian is expanded in the slopes
template <bool expanded>
struct Bend {
  BendBody body;  ///< Their description.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const { return detail::bend_coefficients(body); }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return detail::pass_bend<expanded>(c, NoRadiation{}, v);
  }
  template <class Real>
  requires(!expanded) KOKKOS_FORCEINLINE_FUNCTION
      static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v, Spin<Real>& spin) {
    return detail::pass_bend<false>(c, NoRadiation{}, v, Real(0), Real(0), TurningSpin<Real>{spin});
  }
  /// @}
};

/// Slices of a bend with classical synchrotron radiation. At an inclined edge the path in the
/// field is longer or shorter by x tan(E), whose loss is added there.
struct RadiatingBend {
  BendBody body;    ///< Their description.
  double entrance;  ///< Angle of the entrance edge, rad.
  double exit;      ///< Angle of the exit edge, rad.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    using Radiation = ClassicalRadiation<ScalarOf<Real>>;
    const Radiation radiation(c);
    const ScalarOf<Real>* const edges = c + Radiation::n_coefficients;
    return detail::pass_bend<false>(edges + 2, radiation, v, Real(edges[0]), Real(edges[1]));
  }
  /// @}

  /// Returns the coefficients of radiation, for a field relative to that of the curve, and the
  /// coefficients of the bend.
  std::vector<double> with_bend(std::vector<double> radiation) const;
};

/// The same, with synchrotron radiation in quanta; only slices have a random part.
struct QuantumBend {
  RadiatingBend bend;  ///< The bend.
  bool loses = true;   ///< Whether the mean loss is included.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  std::vector<double> coefficients(const ElementPass& pass) const;
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

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/steps/detail/bend_steps.impl.hpp>
#endif
