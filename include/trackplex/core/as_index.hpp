// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/math.hpp>

namespace trackplex {

/// Whole numbers 0 <= x < 2^22 as integers of the same width.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> as_index(const Real& x) {
  using Format = detail::FloatFormat<ScalarOf<Real>>;
  using Index = ScalarOf<IntegerOf<Real>>;
  const Real shifted = x + Real(Format::rounder);
  return bit_cast<IntegerOf<Real>>(shifted) - IntegerOf<Real>(Index(Format::rounder_bits));
}

}  // namespace trackplex
