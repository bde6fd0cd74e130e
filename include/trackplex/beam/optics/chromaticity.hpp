// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Momentum dependence of optics and path of a ring, to second order. On the host.

#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Dependence of the tunes and the path of a ring on delta.
struct Chromaticity {
  double x = 0.,                     ///< Derivative of the horizontal tune by delta.
      y = 0.;                        ///< Derivative of the vertical tune by delta.
  double momentum_compaction = 0.,   ///< Derivative of the path by delta over its length.
      momentum_compaction2 = 0.;     ///< Second-order term: coefficient of delta^2 over the length.
  double second_dispersion[4] = {};  ///< Coefficients of delta^2 of x, xp, y, yp, m and rad.
};

/// Computes chromaticities and momentum compaction from the map of one turn, to second order, about
/// the dispersive orbit: of the ring's length, m, with the periodic optics of the same map.
/// Chromaticities come from the trace,
/// \f$ d\nu/d\delta=-(dR_{11}+dR_{22})/(4\pi\sin2\pi\nu) \f$.
Chromaticity chromaticity(const TransferMap& turn, const PeriodicOptics& optics, double length);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/chromaticity.impl.hpp>
#endif
