// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/optics/line_maps.hpp>
#include <trackplex/core/error.hpp>

#include <algorithm>
#include <iterator>

namespace trackplex::beam {

TRACKPLEX_INLINE double length_of(const BeamLine& line) {
  double length = 0.;
  for (const Element& element : line) length += length_of(element);
  return length;
}

TRACKPLEX_INLINE TransferMap truncated(TransferMap map, int order) {
  if (order >= map.order) return map;
  map.order = order;
  for (Polynomial& p : map.component) {
    if (order < 2) std::fill(std::begin(p.t), std::end(p.t), 0.);
    if (order < 3) std::fill(std::begin(p.q), std::end(p.q), 0.);
  }
  return map;
}

namespace detail {

TRACKPLEX_INLINE TransferMap map_to(const Element& element, int order, double p0) {
  check_element(element);
  try {
    return element.kind.map_to(order, p0);
  } catch (const UsageError& error) {
    throw UsageError("element '" + element.name + "': " + error.what());
  }
}

}  // namespace detail

TRACKPLEX_INLINE TransferMap map_of(const Element& element, double p0) {
  return detail::map_to(element, 2, p0);
}

TRACKPLEX_INLINE TransferMap map_of(const BeamLine& line, int order, double p0) {
  TransferMap map = TransferMap::identity(order);
  for (const Element& element : line) {
    map = concatenated(map, truncated(detail::map_to(element, order, p0), order));
    p0 = element.kind.momentum_behind(p0);
  }
  return map;
}

}  // namespace trackplex::beam
