// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/space_charge_drift.hpp>
#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void SpaceChargeDrift::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.not_negative("effective length", effective_length);
  check.finite("radius factor", radius_factor);
  for (const double value : {low_frequency.begin, low_frequency.end})
    check.finite("low frequency cutoff", value);
  for (const double value : {high_frequency.begin, high_frequency.end})
    check.finite("high frequency cutoff", value);
}

}  // namespace trackplex::beam
