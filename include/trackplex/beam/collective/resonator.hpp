// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Resonance of a mode of a cavity, as a circuit. Codes with the accelerator's definition of the
/// shunt impedance, V^2/P, have \f$R_a=2R_s\f$.
struct Resonator {
  double frequency = 0.;  ///< Resonance frequency f, Hz, above 0.
  double quality = 0.;    ///< Quality factor Q without load.
  double shunt = 0.;      ///< Shunt impedance R_s, Ohm; of deflecting modes Ohm/m.
  double coupling = 0.;   ///< Coupling beta of the load.

  /// Returns the quality factor with load, Q/(1 + beta).
  double loaded_quality() const { return quality / (1. + coupling); }
  /// Checks its values.
  /// @throws UsageError with the element and the quantity if a value is refused: one is not finite,
  /// the coupling is negative, there is no frequency, or the loaded quality factor is 1/2 or less
  void check(const ElementCheck& check) const;
};

/// Turns on which modes of cavities act.
struct ModeTurns {
  int first = 0;              ///< First turn on which the bunch excites them.
  int first_kick = 0;         ///< First turn on which they act on the bunch.
  int ramp = 0;               ///< Turns over which the impedance ramps linearly to its value.
  int interval = 1;           ///< Every how many turns they act, with as many times the charge.
  bool forget = false;        ///< Whether each pass begins without voltage.
  bool earlier_only = false;  ///< Whether the voltage of a pass acts only on later passes.

  /// Returns whether a turn excites modes.
  bool are_on(int turn) const { return turn >= first && turn % interval == 0; }
  /// Returns the factor of the charge on a turn.
  double strength_on(int turn) const {
    const int turns = turn - first + 1;
    return interval * (turns < ramp ? double(turns) / ramp : 1.);
  }
  /// Checks the interval.
  /// @throws UsageError with the element if it is less than one turn
  void check(const ElementCheck& check) const;
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/resonator.impl.hpp>
#endif
