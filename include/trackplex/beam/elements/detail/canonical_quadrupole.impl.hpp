// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_quadrupole.hpp>
#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void CanonicalQuadrupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k1", k1);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap CanonicalQuadrupole::map_to(int order) const {
  return misaligned(quadrupole_map(length, k1, order), misalignment);
}

TRACKPLEX_INLINE void CanonicalQuadrupole::add_steps(StepBuilder& to) const {
  to.placed(misalignment, [&] {
    to.in_slices(slices, [&](int n, double part) {
      to.add(steps::Magnet<QuadrupoleField>{length * part, k1, n, integration_order});
    });
  });
}

}  // namespace trackplex::beam
