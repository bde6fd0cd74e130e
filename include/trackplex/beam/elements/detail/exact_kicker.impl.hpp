// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/exact_kicker.hpp>
#include <trackplex/core/derived_math.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void ExactKicker::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("horizontal kick", horizontal);
  check.finite("vertical kick", vertical);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap ExactKicker::map_to(int order) const {
  const TransferMap half = drift_map(0.5 * length, order);
  return misaligned(concatenated(concatenated(half, kick_map(horizontal, vertical, order)), half),
                    misalignment);
}

TRACKPLEX_INLINE void ExactKicker::add_steps(StepBuilder& to) const {
  const double h = tan(horizontal), v = tan(vertical);
  const double angle = atan(hypot(h, v));
  to.placed(misalignment, [&] {
    if (angle == 0.) return to.exact_drift(length);
    to.rotate(atan2(v, h));
    to.add(steps::CircularKick{length, angle});
    to.rotate(-atan2(v, h));
  });
}

}  // namespace trackplex::beam
