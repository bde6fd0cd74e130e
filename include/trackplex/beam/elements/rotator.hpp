// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

/// Rotation around the axis (ROTATE).
struct Rotator {
  double tilt = 0.;  ///< Angle, rad, from x towards y.

  /// @{ @brief Element interface, see element.hpp.
  static constexpr const char* family = "other";
  void check(const ElementCheck& check) const { check.finite("tilt", tilt); }
  TransferMap map_to(int order) const { return rotation_map(tilt, order); }
  void add_steps(StepBuilder& to) const { to.rotate(tilt); }
  /// @}
};

}  // namespace trackplex::beam
