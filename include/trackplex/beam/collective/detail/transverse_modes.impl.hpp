// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/transverse_modes.hpp>
#include <trackplex/beam/elements/element_check.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void TransverseModes::check(const ElementCheck& check) const {
  for (const TransverseMode& mode : modes) mode.resonator.check(check);
  turns.check(check);
  check.not_negative("length of a bin", bin_size);
  check.not_negative("number of bins", bins);
  check.finite("number of cavities", cavities);
  check.finite("factor in x", x_factor);
  check.finite("factor in y", y_factor);
  check.placed({.dx = dx, .dy = dy});
  check.not_negative("charge", charge);
}

}  // namespace trackplex::beam
