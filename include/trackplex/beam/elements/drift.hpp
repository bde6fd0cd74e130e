// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

/// Drift by its Taylor map (elegant's DRIF).
struct Drift {
  double length = 0.;  ///< Length, m; may be negative.
  int order = 2;       ///< Order of the map, 1 to 3.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "drift";
  void check(const ElementCheck& check) const { check.finite("length", length); }
  TransferMap map_to(int) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const { to.map(map_to(order), {.is_transverse = true}); }
  /// @}
};

}  // namespace trackplex::beam
