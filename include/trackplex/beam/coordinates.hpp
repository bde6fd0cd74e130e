// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace trackplex::beam {

/// Coordinates of a particle beside the reference particle: x, y in m; xp = dx/ds and yp = dy/ds,
/// slopes to the reference path; s, by how much longer its way has been than the reference
/// particle's, m (larger: later); delta = (p - p0)/p0.
enum Coordinate : int { x, xp, y, yp, s, delta };
inline constexpr int n_coordinates = 6;

/// One particle, or one in each lane.
template <class Real>
struct Particle {
  Real v[n_coordinates];

  KOKKOS_FORCEINLINE_FUNCTION Real& operator[](int i) { return v[i]; }
  KOKKOS_FORCEINLINE_FUNCTION const Real& operator[](int i) const { return v[i]; }
};

}  // namespace trackplex::beam
