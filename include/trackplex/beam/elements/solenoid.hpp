// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Solenoid with thin ends by its Taylor map (SOLE).
struct Solenoid {
  double length = 0.;           ///< Length, m.
  double ks = 0.;               ///< Strength, 1/m: particles turn by half of it per length.
  int order = 2;                ///< Order of the map, 1 or 2.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "solenoid";
  double strength() const { return ks; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/solenoid.impl.hpp>
#endif
