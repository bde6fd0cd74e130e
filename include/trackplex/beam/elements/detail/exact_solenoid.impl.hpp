// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/exact_solenoid.hpp>
#include <trackplex/beam/steps/bend_edge.hpp>

#include <algorithm>

namespace trackplex::beam {

TRACKPLEX_INLINE void ExactSolenoid::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength ks", ks);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap ExactSolenoid::map_to(int order) const {
  return misaligned(solenoid_map(length, ks, std::min(order, 2)), misalignment);
}

TRACKPLEX_INLINE void ExactSolenoid::add_steps(StepBuilder& to) const {
  if (ks == 0. || length == 0.) return to.exact_drift(length);
  to.placed(misalignment, [&] { to.add(steps::SolenoidHelix{length, ks}); });
}

}  // namespace trackplex::beam
