// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/sextupole.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Sextupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k2", k2);
  check.finite("strength k1", k1);
  check.finite("strength j1", j1);
  check.placed(misalignment);
}

}  // namespace trackplex::beam
