// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element_check.hpp>
#include <trackplex/beam/elements/feedback_driver.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void FeedbackDriver::check(const ElementCheck& check) const {
  check.finite("strength", strength);
  check.not_negative("limit", limit);
  check.not_negative("delay", delay);
  if (interval < 1) check.refuse("interval", interval, "it must be one reading at least");
  for (const double b : filter) check.finite("coefficient of the filter", b);
}

}  // namespace trackplex::beam
