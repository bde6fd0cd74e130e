// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/elements/feedback_pickup.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void FeedbackPickup::check(const ElementCheck& check) const {
  check.finite("offset", offset);
  check.not_negative("noise", noise);
  if (interval < 1) check.refuse("interval", interval, "it must be one turn at least");
  for (const double a : filter) check.finite("coefficient of the filter", a);
}

}  // namespace trackplex::beam
