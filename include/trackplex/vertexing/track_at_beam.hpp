// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/number.hpp>

namespace trackplex::vertexing {

/// Straight track x(z') = x + tx (z' - z), y(z') = y + ty (z' - z), and the covariance of (x, y,
/// tx, ty) at z. Lengths in any unit.
template <class Real>
struct TrackLine {
  Real x{}, y{}, z{};           ///< point of the track
  Real tx{}, ty{};              ///< slopes dx/dz and dy/dz
  Real xx{}, xy{}, yy{};        ///< covariance of the point
  Real xtx{}, xty{};            ///< covariance of x with the slopes
  Real ytx{}, yty{};            ///< covariance of y with the slopes
  Real txtx{}, txty{}, tyty{};  ///< covariance of the slopes
};

/// Straight track where it is closest to the beam, as the vertex finding sees it.
template <class Real>
struct TrackAtBeam {
  Real x{}, y{}, z{};        ///< point of closest approach
  Real tx{}, ty{};           ///< slopes dx/dz and dy/dz
  Real wxx{}, wxy{}, wyy{};  ///< inverse of the covariance of (x, y) at z; 0: unusable track
};

/// Distance along z from the point of a line to its closest approach to a beam along z at (beam_x,
/// beam_y), \f$ -(x t_x+y t_y)/(t_x^2+t_y^2) \f$ with x and y from the beam; 0 for a line parallel
/// to the beam.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real distance_to_beam(const TrackLine<Real>& line, const Real& beam_x,
                                                  const Real& beam_y) {
  const Real slope2 = fma(line.tx, line.tx, line.ty * line.ty);
  const Real product = fma(line.x - beam_x, line.tx, (line.y - beam_y) * line.ty);
  return -product / select(slope2 > Real(0), slope2, Real(1));
}

/// Moves a line along z by a distance and inverts the covariance of (x, y) there. The result has
/// weights 0 where that covariance is not positive definite.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION TrackAtBeam<Real> track_at_beam(const TrackLine<Real>& line,
                                                            const Real& distance) {
  const Real d = distance, two(2);
  const Real xx = fma(d, fma(d, line.txtx, two * line.xtx), line.xx);
  const Real xy = fma(d, fma(d, line.txty, line.xty + line.ytx), line.xy);
  const Real yy = fma(d, fma(d, line.tyty, two * line.yty), line.yy);
  const Real determinant = fma(xx, yy, -(xy * xy));
  const auto usable = xx > Real(0) && yy > Real(0) && determinant > Real(0);
  const Real scale = select(usable, Real(1) / select(usable, determinant, Real(1)), Real(0));
  return {fma(d, line.tx, line.x),
          fma(d, line.ty, line.y),
          line.z + d,
          line.tx,
          line.ty,
          yy * scale,
          -(xy * scale),
          xx * scale};
}

}  // namespace trackplex::vertexing
