// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/octupole.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Octupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k3", k3);
  check.placed(misalignment);
}

}  // namespace trackplex::beam
