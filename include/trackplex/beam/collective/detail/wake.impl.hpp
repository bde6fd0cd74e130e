// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/detail/wake_action.hpp>
#include <trackplex/beam/collective/wake.hpp>
#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/steps/step_builder.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Wake::check(const ElementCheck& check) const {
  check.finite("factor", factor);
  check.not_negative("charge", charge);
  check.not_negative("number of bins", bins);
}

TRACKPLEX_INLINE void TransverseWake::check(const ElementCheck& check) const {
  check.finite("factor", factor);
  check.finite("factor in x", x_factor);
  check.finite("factor in y", y_factor);
  check.placed({.dx = dx, .dy = dy, .tilt = tilt});
  check.not_negative("charge", charge);
  check.not_negative("number of bins", bins);
}

}  // namespace trackplex::beam
