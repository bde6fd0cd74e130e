// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/pulsed_multipole.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void PulsedMultipole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength", strength);
  if (order < 1 || order > 100) check.refuse("order", order, "it is 1, for a quadrupole, to 100");
  if (slices < 1) check.refuse("number of slices", slices, "there must be one at least");
  check.finite("time offset", time_offset);
  check.placed(misalignment);
}

}  // namespace trackplex::beam
