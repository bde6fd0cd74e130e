// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/resonator.hpp>
#include <trackplex/beam/elements/element_check.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Resonator::check(const ElementCheck& check) const {
  check.not_negative("frequency of a mode", frequency);
  if (frequency == 0.) check.refuse("frequency of a mode", frequency, "it must be above 0");
  check.not_negative("coupling of a mode", coupling);
  check.finite("shunt impedance of a mode", shunt);
  check.not_negative("quality factor of a mode", quality);
  if (!(loaded_quality() > 0.5))
    check.refuse("quality factor of a mode", loaded_quality(),
                 "a mode rings if it is above 1/2 with its load; impedances are for others");
}

TRACKPLEX_INLINE void ModeTurns::check(const ElementCheck& check) const {
  if (interval < 1) check.refuse("interval", interval, "it must be one turn at least");
  check.not_negative("number of turns of the ramp", ramp);
}

}  // namespace trackplex::beam
