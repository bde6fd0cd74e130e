// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace trackplex::beam {

/// Coordinates of a particle relative to the reference particle: those of the accelerator code
/// elegant (M. Borland), except for s, which elegant counts from the start of the line.
enum Coordinate : int {
  x,     ///< Horizontal position, m; a bend of positive angle turns towards negative x.
  xp,    ///< Horizontal slope to the reference path, dx/dz (not px/p0).
  y,     ///< Vertical position, m.
  yp,    ///< Vertical slope to the reference path, dy/dz.
  s,     ///< Path length minus that of the reference particle, m; larger: later.
  delta  ///< Relative momentum deviation (p - p0)/p0.
};
inline constexpr int n_coordinates = 6;  ///< Number of coordinates.

/// Coordinates of one particle, or of one in each lane, in the order of `Coordinate`.
template <class Real>
struct Particle {
  Real v[n_coordinates];  ///< Coordinates, m, slopes and delta.

  /// Returns a coordinate.
  KOKKOS_FORCEINLINE_FUNCTION Real& operator[](int i) { return v[i]; }
  /// Returns a coordinate.
  KOKKOS_FORCEINLINE_FUNCTION const Real& operator[](int i) const { return v[i]; }
};

}  // namespace trackplex::beam
