// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements.hpp>

#include <algorithm>
#include <iterator>
#include <string>

/// @file
/// Taylor maps of elements and of whole lines, on the host.

namespace trackplex::beam {

/// Returns the path length of the reference particle through a line, m.
inline double length_of(const BeamLine& line) {
  double length = 0.;
  for (const Element& element : line) length += length_of(element);
  return length;
}

/// Returns the map truncated to an order; unchanged if its own is not higher.
inline TransferMap truncated(TransferMap map, int order) {
  if (order >= map.order) return map;
  map.order = order;
  for (Polynomial& p : map.component) {
    if (order < 2) std::fill(std::begin(p.t), std::end(p.t), 0.);
    if (order < 3) std::fill(std::begin(p.q), std::end(p.q), 0.);
  }
  return map;
}

namespace detail {

inline TransferMap map_to(const Element& element, int order, double p0) {
  check_element(element);
  try {
    return element.kind.map_to(order, p0);
  } catch (const UsageError& error) {
    throw UsageError("element '" + element.name + "': " + error.what());
  }
}

}  // namespace detail

/// Returns the Taylor map of an element with its misalignment, to the order of the element.
/// Elements that are not tracked by a map have the map to second order of their counterpart: exact
/// drifts, thick magnets; collimators and drifts with space charge have that of a drift, markers
/// and charges the identity, cavities their linear map where the reference momentum p0 (beta gamma)
/// is given, else that of a drift.
/// @throws UsageError if the element has no map (a bend without length or angle, or of an order
/// that it does not have), or as `check_element`
inline TransferMap map_of(const Element& element, double p0 = 0.) {
  return detail::map_to(element, 2, p0);
}

/// Returns the Taylor map of a line to an order of 1 to 3, by concatenation. Elements contribute
/// terms to their own order: a quadrupole of first order none of second. With a reference momentum
/// p0 (beta gamma) at the start, delta behind each element is relative to that there.
/// @throws UsageError if an element has no map, the order is not 1, 2 or 3, or as `check_element`
inline TransferMap map_of(const BeamLine& line, int order, double p0 = 0.) {
  TransferMap map = TransferMap::identity(order);
  for (const Element& element : line) {
    map = concatenated(map, truncated(detail::map_to(element, order, p0), order));
    p0 = element.kind.momentum_behind(p0);
  }
  return map;
}

}  // namespace trackplex::beam
