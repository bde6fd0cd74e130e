// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Momentum dependence of optics and path of a ring, to second order. On the host.

#include <trackplex/beam/optics/twiss.hpp>
#include <trackplex/core/compiled.hpp>

#include <array>

namespace trackplex::beam {

/// Dependence of the tunes and the path of a ring on delta.
struct Chromaticity {
  double x = 0.,                     ///< Derivative of the horizontal tune by delta.
      y = 0.;                        ///< Derivative of the vertical tune by delta.
  double momentum_compaction = 0.,   ///< Derivative of the path by delta over its length.
      momentum_compaction2 = 0.;     ///< Second-order term: coefficient of delta^2 over the length.
  double second_dispersion[4] = {};  ///< Coefficients of delta^2 of x, xp, y, yp, m and rad.
};

namespace detail {

/// Derivatives of the tunes by the traces of both planes, for a change of coordinates.
std::array<double, 2> chromaticities_of_planes(const TransferMap& turn,
                                               const TransferMap::Vector& direction);

/// Derivatives of the tunes of both normal modes: the phase of the eigenvalue of a mode v of an
/// area of 1 changes by -Re(v^H S dR v conj(lambda)) / 2.
std::array<double, 2> chromaticities_of_modes(const TransferMap& turn,
                                              const TransferMap::Vector& direction);

}  // namespace detail

/// Computes chromaticities and momentum compaction from the map of one turn, to second order, about
/// the dispersive orbit: of the ring's length, m, with the periodic optics of the same map.
/// Chromaticities come from the trace,
/// \f$ d\nu/d\delta=-(dR_{11}+dR_{22})/(4\pi\sin2\pi\nu) \f$, or, if coupling is so strong that
/// single planes are unstable, from the normal modes.
Chromaticity chromaticity(const TransferMap& turn, const PeriodicOptics& optics, double length);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/chromaticity.impl.hpp>
#endif
