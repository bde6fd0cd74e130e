// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/detail/fringe_map.hpp>
#include <trackplex/beam/maps/detail/integrated_map.hpp>
#include <trackplex/beam/maps/detail/sextupole_series.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/core/compiled.hpp>

/// @file
/// Taylor maps of drifts, quadrupoles, sextupoles and octupoles.

namespace trackplex::beam {

/// Returns the map of a drift of a length, m, to an order of 1 to 3. x and y are exact; the path
/// length has its terms of second order, l xp^2/2 and l yp^2/2, at orders 2 and 3.
/// @throws UsageError if the order is not 1, 2 or 3
TransferMap drift_map(double length, int order);

namespace detail {

/// cos and sin of one plane of a quadrupole, or their hyperbolic counterparts, as the maps need
/// them.
struct FocusingFunctions {
  double c, s;  ///< cos(kL), sin(kL)/k
  double k2;    ///< focusing strength, 1/m^2; negative: defocusing

  FocusingFunctions(double strength, double length);
};

}  // namespace detail

/// Returns the map of a quadrupole of a length, m, and strength k1, 1/m^2, which focuses in x where
/// it is positive; without fringe fields.
/// @throws UsageError if the order is not 1, 2 or 3
TransferMap quadrupole_map(double length, double k1, int order);

/// Fringe fields of a quadrupole: at an end, the strength is linear over a length, half of it
/// outside the magnet.
struct QuadrupoleFringe {
  double length = 0.;  ///< Length of each, m: half of elegant's FFRINGE times the magnet's length.
  bool entrance = true;  ///< Whether there is one at the entrance.
  bool exit = true;      ///< Whether there is one at the exit.
};

/// Returns the map of a quadrupole with fringe fields, else as above. To second order, as in
/// elegant, the path length has twice the terms x^2 and y^2 of the slopes inside fringes.
/// @throws UsageError if the order is not 1 or 2, where there are fringe fields
TransferMap quadrupole_map(double length, double k1, int order, const QuadrupoleFringe& fringe);

/// Returns the map of a sextupole of a length, m, and strength k2, 1/m^3; without fringe fields.
/// @throws UsageError if the order is not 1, 2 or 3
TransferMap sextupole_map(double length, double k2, int order);

/// Returns the map of a sextupole with a quadrupole and a skew quadrupole component of strengths k1
/// and j1, 1/m^2, else as above. As in elegant, it is the third of successive approximations,
/// to first order in k1 and j1 in products with k2, and the path length has the terms of a drift.
/// @throws UsageError if the order is not 1 or 2, where there is such a component
TransferMap sextupole_map(double length, double k2, int order, double k1, double j1);

/// Returns the map of an octupole of a length, m, and strength k3, 1/m^4; a drift to second order.
/// @throws UsageError if the order is not 1, 2 or 3
TransferMap octupole_map(double length, double k3, int order);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/maps/detail/multipole_maps.impl.hpp>
#endif
