// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/canonical.hpp>

#include <algorithm>
#include <cmath>

namespace trackplex::beam {

TRACKPLEX_INLINE double CanonicalMoments::sigma(canonical::Coordinate coordinate) const {
  return std::sqrt(covariance[coordinate][coordinate]);
}

TRACKPLEX_INLINE double CanonicalMoments::emittance(canonical::Coordinate plane) const {
  const int q = plane, p = plane + 1;
  const double square = detail::determinant(covariance[q][q], covariance[p][p], covariance[q][p]);
  return std::sqrt(std::max(0., square));
}

}  // namespace trackplex::beam
