// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/add_map.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/solenoid.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Solenoid::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength ks", ks);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap Solenoid::map_to(int) const {
  return misaligned(solenoid_map(length, ks, order), misalignment);
}

TRACKPLEX_INLINE void Solenoid::add_steps(StepBuilder& to) const {
  detail::add_misaligned(to, solenoid_map(length, ks, order), misalignment);
}

}  // namespace trackplex::beam
