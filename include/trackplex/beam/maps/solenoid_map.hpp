// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/maps/multipole_maps.hpp>
#include <trackplex/core/compiled.hpp>

namespace trackplex::beam {

/// Returns the strength of a solenoid, 1/m, of a field along the axis, T, for electrons of a
/// reference momentum (beta gamma): -B e/(p0 m c), with the constants of elegant's SOLE.
double solenoid_strength(double field, double p0);

/// Returns the map of a solenoid with thin ends to first or second order, of a length, m, and a
/// strength, 1/m, which turns particles around the axis by half of it per length.
/// @throws UsageError if the order is not 1 or 2
TransferMap solenoid_map(double length, double strength, int order);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/maps/detail/solenoid_map.impl.hpp>
#endif
