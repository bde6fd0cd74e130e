// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/steps/radiation.hpp>
#include <trackplex/core/compiled.hpp>

#include <algorithm>
#include <vector>

/// @file
/// Magnets of several multipoles by symplectic integration.

namespace trackplex::beam {

/// Sum of multipole fields at one place, integrated over the length.
struct Multipoles {
  /// Integrated normal strengths K_n L, 1/m^n, beginning with the dipole (n = 0).
  std::vector<double> normal{};
  std::vector<double> skew{};  ///< Integrated skew strengths J_n L, 1/m^n.

  /// Returns their highest order, n; -1 without any.
  int order() const { return int(std::max(normal.size(), skew.size())) - 1; }
  /// Returns the field times a factor.
  Multipoles times(double factor) const;
  /// Returns a strength, normal or skew; 0 beyond the last one.
  static double of(const std::vector<double>& strengths, int n);
};

/// Returns the map of a multipole without length to an order of 1 or 2.
TransferMap thin_multipole_map(const Multipoles& field, int order);

namespace detail {

/// Coefficients of `pass_multipoles`: the numbers of kicks in a slice and of slices; the highest
/// order; per slice drifts, m, and weights of kicks, alternating; factors of (x + i y)^n of the
/// normal and the skew field, from the highest order down.
std::vector<double> multipole_coefficients(double length, const Multipoles& field, int slices,
                                           int integration_order);

/// Horner's rule for dqx - i dqy = -sum over n of (K_n - i J_n) (x + i y)^n/n!: returns minus the
/// change of qx, and the change of qy.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION FieldKick<Real> multipole_kick(const ScalarOf<Real>* normal,
                                                           const ScalarOf<Real>* skew, int order,
                                                           const Real& x, const Real& y) {
  Real re(normal[0]), im(-skew[0]);
  for (int i = 1; i <= order; ++i) {
    const Real next = fma(re, x, fma(-im, y, Real(normal[i])));
    im = fma(re, y, fma(im, x, Real(-skew[i])));
    re = next;
  }
  return {re, im};
}

/// Full strength of a magnet for all particles.
struct FullStrength {
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Real& weight) const {
    return weight;
  }
};

/// Moves particles through a magnet of equal slices, exactly between the kicks, or with
/// `expanded` slopes, q = (1 + delta) x'. Radiates after each kick as `radiation` says; `strength`
/// changes the weights of kicks. Spins turn at the kicks. Returns the lanes whose slopes stayed
/// finite.
template <bool expanded, class Real, class Radiation, class Strength = FullStrength,
          class Turning = NoSpin>
KOKKOS_FORCEINLINE_FUNCTION MaskOf<Real> pass_multipoles(const ScalarOf<Real>* c,
                                                         Radiation radiation, Particle<Real>& v,
                                                         const Strength& strength = {},
                                                         const Turning& turning = {}) {
  const int n_kicks = int(c[0]), slices = int(c[1]), order = int(c[2]);
  const ScalarOf<Real>* const slice = c + 3;
  const ScalarOf<Real>* const normal = slice + 2 * n_kicks + 1;
  const ScalarOf<Real>* const skew = normal + order + 1;
  const Real one(1), half(ScalarOf<Real>(0.5)), start = one + v[delta];
  Real momentum = start, qx, qy;
  StraightWay<Real> way(v, momentum, qx, qy);
  MaskOf<Real> forward = momentum > Real(0);
  const auto expand = [&] {
    if constexpr (expanded) way.longer = half * fma(v[xp], v[xp], v[yp] * v[yp]);
  };
  if constexpr (expanded) {
    qx = momentum * v[xp];
    qy = momentum * v[yp];
  }
  expand();
  way.drift(Real(slice[0]), v);
  for (int i = 0; i < slices; ++i)
    for (int k = 0; k < n_kicks; ++k) {
      const Real weight = strength(Real(slice[2 * k + 1]));
      const auto field = multipole_kick(normal, skew, order, v[x], v[y]);
      qx = fma(-weight, field.x, qx);
      qy = fma(weight, field.y, qy);
      if constexpr (expanded) {
        forward = fma(momentum, momentum, -fma(qx, qx, qy * qy)) > Real(0) && forward;
        const Real per_momentum = one / momentum;
        v[xp] = qx * per_momentum;
        v[yp] = qy * per_momentum;
        expand();
      } else {
        forward = way.turn(qx, qy, momentum, v) > Real(0) && forward;
      }
      if constexpr (Turning::turns)
        kick_spin(-(weight * field.x), weight * field.y, qx, qy, momentum, turning.spin);
      if constexpr (Radiation::radiates) {
        const Real before = momentum;
        const Real longer = sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
        momentum = radiation.momentum_behind_kick(
            momentum, fma(field.x, field.x, field.y * field.y), weight * longer, longer);
        qx *= momentum / before;
        qy *= momentum / before;
      }
      way.drift(Real(drift_after(slice, k, n_kicks, i + 1 == slices)), v);
    }
  if constexpr (Radiation::radiates) {
    v[delta] = momentum - one;
    radiation.keep_time(start, v);
  }
  return forward;
}

}  // namespace detail

/// Steps of magnets of several multipoles.
namespace steps {

/// Magnet of several multipoles in slices.
/// @tparam expanded whether the Hamiltonian is expanded in the slopes
template <bool expanded>
struct CanonicalMultipole {
  double length;     ///< Length, m.
  Multipoles field;  ///< Its field.
  int slices;        ///< Number of slices, at least 1.
  int order;         ///< Order of the integration: 2, 4 or 6.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const {
    return detail::multipole_coefficients(length, field, slices, order);
  }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return detail::pass_multipoles<expanded>(c, NoRadiation{}, v);
  }
  template <class Real>
  requires(!expanded) KOKKOS_FORCEINLINE_FUNCTION
      static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v, Spin<Real>& spin) {
    return detail::pass_multipoles<false>(c, NoRadiation{}, v, detail::FullStrength{},
                                          TurningSpin<Real>{spin});
  }
  /// @}
};

/// The same, with synchrotron radiation.
struct RadiatingMultipole {
  double length;     ///< Length, m.
  Multipoles field;  ///< Its field.
  int slices;        ///< Number of slices, at least 1.
  int order;         ///< Order of the integration: 2, 4 or 6.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    using Radiation = ClassicalRadiation<ScalarOf<Real>>;
    return detail::pass_multipoles<false>(c + Radiation::n_coefficients, Radiation(c), v);
  }
  /// @}
};

/// The same, with synchrotron radiation in quanta.
struct QuantumMultipole {
  RadiatingMultipole magnet;  ///< The magnet.
  bool loses = true;          ///< Whether the mean loss is included.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       const StepPlace<Real>& place) {
    using Radiation = QuantumRadiation<Real>;
    return detail::pass_multipoles<false>(c + Radiation::n_coefficients,
                                          Radiation(c, place.random()), v);
  }
  /// @}
};

}  // namespace steps

/// Magnet of several multipoles by symplectic integration, exact in the slopes (MULT; KOCT, KQUSE,
/// and KQUAD and KSEXT with further fields, expanded slopes or radiation).
struct CanonicalMultipole {
  double length = 0.;           ///< Length, m; 0: kicks at one place.
  Multipoles field{};           ///< Its field, integrated over the length.
  int slices = 4;               ///< Number of slices, at least 1.
  int integration_order = 4;    ///< Order of the integration: 2, 4 or 6.
  Misalignment misalignment{};  ///< Displacement and tilt.
  bool expanded = false;        ///< Whether the Hamiltonian is expanded in the slopes.
  bool radiates = false;        ///< Whether particles lose energy by synchrotron radiation.
  bool quantum = false;         ///< Whether the loss fluctuates as by photons.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "multipole";
  double strength() const;
  void check(const ElementCheck& check) const;
  /// To second order.
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  CanonicalMultipole part(int, int n) const;
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/multipole.impl.hpp>
#endif
