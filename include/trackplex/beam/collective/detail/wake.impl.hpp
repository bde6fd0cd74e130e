// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/wake.hpp>
#include <trackplex/beam/elements/element_check.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Wake::check(const ElementCheck& check) const {
  check.finite("factor", factor);
  check.not_negative("charge", charge);
  check.not_negative("number of bins", bins);
}

}  // namespace trackplex::beam
