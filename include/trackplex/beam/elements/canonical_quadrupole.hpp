// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Quadrupole by symplectic integration, exact in the slopes (KQUAD).
struct CanonicalQuadrupole {
  double length = 0.;           ///< Length, m.
  double k1 = 0.;               ///< Strength, 1/m^2; positive: focuses in x.
  int slices = 4;               ///< Number of slices, at least 1.
  int integration_order = 4;    ///< Order of the integration: 2, 4 or 6.
  Misalignment misalignment{};  ///< Displacement and tilt.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "quadrupole";
  double strength() const { return k1; }
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const;
  void add_steps(StepBuilder& to) const;
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/canonical_quadrupole.impl.hpp>
#endif
