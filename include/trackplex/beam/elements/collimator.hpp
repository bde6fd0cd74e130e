// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Aperture at both ends of an exact drift; particles outside are lost (RCOL, ECOL).
struct Collimator {
  double length = 0.;   ///< Length, m.
  Aperture aperture{};  ///< Aperture at the entrance, and at the exit of a length.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "collimator";
  static constexpr bool is_whole = true;
  void check(const ElementCheck& check) const;
  TransferMap map_to(int order) const { return drift_map(length, order); }
  void add_steps(StepBuilder& to) const;
  /// @}
};

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/elements/detail/collimator.impl.hpp>
#endif
