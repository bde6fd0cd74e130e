// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/collective/csr_drift.hpp>
#include <trackplex/beam/collective/detail/csr_action.hpp>
#include <trackplex/beam/elements/element_check.hpp>

#include <algorithm>

namespace trackplex::beam {

TRACKPLEX_INLINE void CsrDrift::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.not_negative("length of a step", step_length);
  check.not_negative("attenuation length", attenuation_length);
  check.not_negative("overtaking factor", overtaking_factor);
}

TRACKPLEX_INLINE CsrDrift CsrDrift::part(int, int n) const {
  CsrDrift result = *this;
  result.length /= n;
  result.steps = (steps + n - 1) / n;
  return result;
}

TRACKPLEX_INLINE int CsrDrift::kicks() const {
  if (!(step_length > 0.)) return steps;
  const double n = length / step_length;
  return std::max(1, int(std::min(1e9, field == Field::transient ? n + 0.5 : n)));
}

}  // namespace trackplex::beam
