// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/collimator.hpp>
#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Collimator::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.open(aperture);
}

TRACKPLEX_INLINE void Collimator::add_steps(StepBuilder& to) const {
  to.aperture(aperture);
  if (length == 0.) return;
  to.exact_drift(length);
  Aperture exit = aperture;  // as in elegant
  exit.y_exponent = exit.x_exponent;
  to.aperture(exit);
}

}  // namespace trackplex::beam
