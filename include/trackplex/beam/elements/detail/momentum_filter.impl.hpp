// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/momentum_filter.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void MomentumFilter::check(const ElementCheck& check) const {
  check.not_negative("limit", limit);
  for (const double fraction : {lower_fraction, upper_fraction}) {
    check.not_negative("fraction", fraction);
    if (fraction > 1.) check.refuse("fraction", fraction, "it must not be above 1");
  }
}

}  // namespace trackplex::beam
