// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/chromatic_quadrupole.hpp>
#include <trackplex/beam/elements/element.hpp>

#include <algorithm>

namespace trackplex::beam {

TRACKPLEX_INLINE void ChromaticQuadrupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k1", k1);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap ChromaticQuadrupole::map_to(int order) const {
  return misaligned(quadrupole_map(length, k1, std::min(order, 2)), misalignment);
}

TRACKPLEX_INLINE void ChromaticQuadrupole::add_steps(StepBuilder& to) const {
  to.placed(misalignment, [&] {
    if (k1 == 0.) return to.expanded_drift(length);
    to.add(steps::ChromaticQuadrupole{length, k1});
  });
}

}  // namespace trackplex::beam
