// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/energy_change.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>
#include <trackplex/core/random.hpp>

#include <vector>

/// @file
/// Random kicks of particles.

namespace trackplex::beam {

/// Random changes of single particles, as in the element SCATTER of the accelerator code
/// elegant (M. Borland): independent changes of x, x', y, y' and delta, either normal numbers with
/// these standard deviations, not cut, or uniform between minus and plus these amplitudes. Changes
/// of delta keep the time of arrival. Each particle draws a fixed count of numbers from
/// `particle_random`.
struct Scatter {
  double dx = 0.;           ///< Amplitude of x, m.
  double dxp = 0.;          ///< Amplitude of x'.
  double dy = 0.;           ///< Amplitude of y, m.
  double dyp = 0.;          ///< Amplitude of y'.
  double dp = 0.;           ///< Amplitude of delta.
  double probability = 1.;  ///< Probability that a particle is changed in a pass.
  bool is_uniform = false;  ///< Whether the distribution is uniform.
  int first_turn = 0;       ///< First turn on which it acts.
  int last_turn = -1;       ///< Last one; below 0: none.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  static constexpr bool is_long = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  std::vector<double> coefficients(const ElementPass& pass) const;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static MaskOf<Real> pass(const ScalarOf<Real>* c, Particle<Real>& v,
                                                       const StepPlace<Real>& place) {
    using T = ScalarOf<Real>;
    constexpr Coordinate changed[] = {x, xp, y, yp, delta};
    auto random = place.random();
    const MaskOf<Real> is_hit = !(random.uniform() > Real(c[5]));
    const Real u = Real(1) + v[delta];
    for (int i = 0; i < 5; ++i) {
      const Real number = c[6] != T(0) ? fma(Real(2), random.uniform(), Real(-1)) : random.normal();
      v[changed[i]] = select(is_hit, fma(Real(c[i]), number, v[changed[i]]), v[changed[i]]);
    }
    const MaskOf<Real> moves = Real(1) + v[delta] > Real(0);
    if (c[4] != T(0)) keep_time(u, Real(c[7]), Real(c[8]), v);
    return moves;
  }
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/scatter.impl.hpp>
#endif
