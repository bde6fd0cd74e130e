// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/core/compiled.hpp>

/// @file
/// Taylor maps of elements and of whole lines, on the host.

namespace trackplex::beam {

/// Returns the path length of the reference particle through a line, m.
double length_of(const BeamLine& line);

/// Returns the map truncated to an order; unchanged if its own is not higher.
TransferMap truncated(TransferMap map, int order);

namespace detail {

TransferMap map_to(const Element& element, int order, double p0);

}  // namespace detail

/// Returns the Taylor map of an element with its misalignment, to the order of the element.
/// Elements that are not tracked by a map have the second-order map of their counterpart: exact
/// drifts, thick magnets. Collimators and drifts with space charge have the map of a drift, markers
/// and charges the identity, cavities their linear map if the reference momentum p0 (beta gamma) is
/// given, else the map of a drift.
/// @throws UsageError if the element has no map (a bend without length or angle, or of an order
/// that it does not have), or as `check_element`
TransferMap map_of(const Element& element, double p0 = 0.);

/// Returns the Taylor map of a line to an order of 1 to 3, by concatenation. Elements contribute
/// terms up to their own order: a first-order quadrupole has no second-order terms. With a
/// reference momentum p0 (beta gamma) at the start, delta after each element is relative to the
/// reference momentum there.
/// @throws UsageError if an element has no map, the order is not 1, 2 or 3, or as `check_element`
TransferMap map_of(const BeamLine& line, int order, double p0 = 0.);

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/optics/detail/line_maps.impl.hpp>
#endif
