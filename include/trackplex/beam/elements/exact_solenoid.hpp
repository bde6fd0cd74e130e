// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/steps/bend_edge.hpp>
#include <trackplex/core/compiled.hpp>

#include <vector>

namespace trackplex::beam {

namespace steps {

/// Uniform field along the axis with thin ends: helices, exact in the slopes. With k = ks/2 the
/// momenta inside are q_x + k y and q_y - k x; they turn by 2 k l/p_z.
struct SolenoidHelix {
  double length;  ///< Length, m.
  double ks;      ///< Strength, 1/m, not 0.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool is_long = true;
  static constexpr unsigned changes = (1u << delta) - 1;
  std::vector<double> coefficients() const { return {length, 0.5 * ks, 1. / ks}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real one(1), length(c[0]), k(c[1]), per_ks(c[2]), momentum = one + v[delta];
    detail::to_momenta(v);
    const Real px = fma(k, v[y], v[xp]), py = fma(-k, v[x], v[yp]), p2 = fma(px, px, py * py);
    const Real pz2 = fma(momentum, momentum, -p2), pz = sqrt(pz2);
    const Real half = k * length / pz, sine_half = sin(half), cosine_half = cos(half);
    const Real sine = Real(ScalarOf<Real>(2)) * sine_half * cosine_half;
    const Real versine = Real(ScalarOf<Real>(2)) * sine_half * sine_half;  // 1 - cosine
    v[x] = fma(per_ks, fma(px, sine, py * versine), v[x]);
    v[y] = fma(per_ks, fma(py, sine, -px * versine), v[y]);
    v[xp] = fma(-k, v[y], px + fma(py, sine, -px * versine));
    v[yp] = fma(k, v[x], py - fma(px, sine, py * versine));
    v[s] = fma(length, p2 / (pz * (momentum + pz)), v[s]);
    return detail::to_slopes(v) && pz2 > Real(0);
  }
  /// Rotates in the radial field of the ends, and inside around the axis and the velocity.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       Spin<Real>& spin) {
    const Real one(1), length(c[0]), k(c[1]), momentum = one + v[delta];
    Particle<Real> at = v;
    detail::to_momenta(at);
    const Real px = fma(k, at[y], at[xp]), py = fma(-k, at[x], at[yp]);
    kick_spin(k * at[y], -(k * at[x]), px, py, momentum, spin);
    const Real pz = sqrt(fma(momentum, momentum, -fma(px, px, py * py)));
    const Real turn = -(k + k) * length / pz, by = spin.anomaly * turn;
    const Real slower = -by * (spin.gamma - one) * pz / (momentum * momentum);
    rotate_spin(slower * px, slower * py, fma(slower, pz, by * spin.gamma), spin);
    rotate_spin(Real(0), Real(0), turn, spin);
    const MaskOf<Real> passes = pass(c, v);
    at = v;
    detail::to_momenta(at);
    kick_spin(-(k * at[y]), k * at[x], at[xp], at[yp], momentum, spin);
    return passes;
  }
  /// @}
};

}  // namespace steps

/// Solenoid with thin ends, exact in the slopes.
struct ExactSolenoid {
  double length = 0.;           ///< Length, m.
  double ks = 0.;               ///< Strength, 1/m: particles turn by half of it per length.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "solenoid";
  double strength() const { return ks; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/exact_solenoid.impl.hpp>
#endif
