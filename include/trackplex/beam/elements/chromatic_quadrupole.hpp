// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/focusing.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::beam {

/// Quadrupole with the Hamiltonian expanded to second order in the slopes but exact in delta,
/// (q_x^2 + q_y^2)/2(1 + delta) + k1 (x^2 - y^2)/2, by its closed map: with `ExpandedDrift`, the
/// chromatic model of ImpactX and Xsuite.
struct ChromaticQuadrupole {
  double length = 0.;           ///< Length, m.
  double k1 = 0.;               ///< Strength, 1/m^2; positive: focuses in x.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "quadrupole";
  double strength() const { return k1; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

namespace steps {

/// Quadrupole exact in delta, in the direction cosines a = q_x/(1 + delta). With K = k1/(1 +
/// delta), C = cos(sqrt(K) L) and S = sin(sqrt(K) L)/sqrt(K), or cosh and sinh where K is negative,
///   x -> C x + S a,  a -> C a - K S x,
///   s -> s + [K x^2 (L - S C) + a^2 (L + S C)]/4 - K S^2 x a/2,
/// and alike for y with -K.
struct ChromaticQuadrupole {
  double length;  ///< Length, m.
  double k1;      ///< Strength, 1/m^2.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr bool in_cosines = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const { return {length, k1}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    return move(c, v, NoSpin{});
  }
  /// Rotates by the field along the orbit, which changes a: -(1 + a gamma) times its integral.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       Spin<Real>& spin) {
    return move(c, v, TurningSpin<Real>{spin});
  }
  /// @}

 private:
  template <class Real, class Turning>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> move(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       const Turning& turning) {
    using T = ScalarOf<Real>;
    const Real one(1), length(c[0]), momentum = one + v[delta], k = Real(c[1]) / momentum;
    const auto focusing = detail::focusing_planes(k * length * length);
    [[maybe_unused]] const Real ax = v[xp], ay = v[yp];
    const Real longer = pass_plane(focusing.plus, length, k, v[x], v[xp]) +
                        pass_plane(focusing.minus, length, -k, v[y], v[yp]);
    v[s] = fma(Real(T(0.25)), longer, v[s]);
    if constexpr (Turning::turns) deflect_spin(v[xp] - ax, v[yp] - ay, turning.spin);
    const Real across = fma(v[xp], v[xp], v[yp] * v[yp]);
    return momentum > Real(T(1e-6)) && across < one;
  }

  /// Returns four times the path that the motion in this plane adds.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static Real pass_plane(const detail::Focusing<Real>& focusing,
                                                     const Real& length, const Real& k, Real& q,
                                                     Real& a) {
    const Real sine = focusing.sine * length, sc = sine * focusing.cosine;
    const Real kick = k * sine, mixed = kick * sine * (q * a);
    const Real longer = fma(k * q * q, length - sc, fma(a * a, length + sc, -(mixed + mixed)));
    const Real q1 = fma(focusing.cosine, q, sine * a);
    a = fma(focusing.cosine, a, -kick * q);
    q = q1;
    return longer;
  }
};

}  // namespace steps

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/chromatic_quadrupole.impl.hpp>
#endif
