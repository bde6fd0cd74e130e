// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

/// Drift with the Hamiltonian expanded to second order in the momenta, (q_x^2 + q_y^2)/2(1 +
/// delta), as in linear optics programs.
struct ExpandedDrift {
  double length = 0.;  ///< Length, m; may be negative.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const { to.expanded_drift(length); }
  /// @}
};

}  // namespace trackplex::beam
