// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_sextupole.hpp>
#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void CanonicalSextupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k2", k2);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap CanonicalSextupole::map_to(int order) const {
  return misaligned(sextupole_map(length, k2, order), misalignment);
}

TRACKPLEX_INLINE void CanonicalSextupole::add_steps(StepBuilder& to) const {
  to.placed(misalignment, [&] {
    to.in_slices(slices, [&](int n, double part) {
      to.add(steps::Magnet<SextupoleField>{length * part, k2, n, integration_order});
    });
  });
}

}  // namespace trackplex::beam
