// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Particles between steps whose momenta are direction cosines. With a = (x', y')/r, r = sqrt(1 +
/// x'^2 + y'^2), and momentum 1 + delta, the canonical momenta are (1 + delta) a: maps that are
/// closed in them take neither root nor division for the slopes. `StepBuilder` adds the
/// conversions, and none between steps that both work in direction cosines.

#include <trackplex/beam/bunch/particle.hpp>
#include <trackplex/beam/steps/step_type.hpp>

#include <vector>

namespace trackplex::beam::steps {

/// Replaces slopes by direction cosines.
struct ToCosines {
  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr bool is_long = true;
  static constexpr unsigned changes = 1u << xp | 1u << yp;
  std::vector<double> coefficients() const { return {}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>*, Particle<Real>& v) {
    const Real one(1), per_ratio = one / sqrt(one + fma(v[xp], v[xp], v[yp] * v[yp]));
    v[xp] *= per_ratio;
    v[yp] *= per_ratio;
  }
  /// @}
};

/// Replaces direction cosines by slopes.
struct ToSlopes {
  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr bool is_long = true;
  static constexpr unsigned changes = 1u << xp | 1u << yp;
  std::vector<double> coefficients() const { return {}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>*, Particle<Real>& v) {
    const Real one(1), per_z = one / sqrt(one - fma(v[xp], v[xp], v[yp] * v[yp]));
    v[xp] *= per_z;
    v[yp] *= per_z;
  }
  /// @}
};

/// Drift to second order in the momenta, of direction cosines.
struct CosineDrift {
  double length;  ///< Length, m.

  /// @{ @brief Step interface, see step_type.hpp.
  static constexpr bool keeps_spin = true;
  static constexpr bool in_cosines = true;
  static constexpr unsigned changes = 1u << x | 1u << y | 1u << s;
  std::vector<double> coefficients() const { return {length}; }
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void pass(const ScalarOf<Real>* c, Particle<Real>& v) {
    const Real length(c[0]), half(ScalarOf<Real>(0.5) * c[0]);
    v[x] = fma(length, v[xp], v[x]);
    v[y] = fma(length, v[yp], v[y]);
    v[s] = fma(half, fma(v[xp], v[xp], v[yp] * v[yp]), v[s]);
  }
  /// @}
};

}  // namespace trackplex::beam::steps
