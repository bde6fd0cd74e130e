// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/transverse_wake.hpp>
#include <trackplex/beam/elements/element_check.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void TransverseWake::check(const ElementCheck& check) const {
  check.finite("factor", factor);
  check.finite("factor in x", x_factor);
  check.finite("factor in y", y_factor);
  check.placed({.dx = dx, .dy = dy, .tilt = tilt});
  check.not_negative("charge", charge);
  check.not_negative("number of bins", bins);
}

}  // namespace trackplex::beam
