// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

/// Aperture along the line, from its position to the next one (MAXAMP): after every element,
/// and between the slices of integrated magnets. Without limits it ends the aperture.
struct MaxAmplitude {
  Aperture aperture{};  ///< Aperture.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "collimator";
  void check(const ElementCheck& check) const { check.open(aperture); }
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  void add_steps(StepBuilder& to) const { to.limit(aperture); }
  /// @}
};

}  // namespace trackplex::beam
