// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

/// Marker: a name for a place in the line (MARK).
struct Marker {
  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "marker";
  void check(const ElementCheck&) const {}
  TransferMap map_to(int order) const { return TransferMap::identity(order); }
  void add_steps(StepBuilder&) const {}
  /// @}
};

}  // namespace trackplex::beam
