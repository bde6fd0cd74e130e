// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/csr_bend.hpp>
#include <trackplex/beam/collective/detail/csr_action.hpp>
#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/element_check.hpp>

#include <cmath>

namespace trackplex::beam {

TRACKPLEX_INLINE void CsrBend::check(const ElementCheck& check) const {
  magnet.check(check);
  check.finite("range factor", range_factor);
  check.finite("angle before", angle_before);
  if (!(1e6 * std::abs(magnet.angle) >= magnet.length && magnet.length > 0.))
    check.refuse("angle", magnet.angle, "the axis must be curved");
}

TRACKPLEX_INLINE CsrBend CsrBend::reversed() const {
  CsrBend result = *this;
  result.magnet = magnet.reversed();
  return result;
}

}  // namespace trackplex::beam
