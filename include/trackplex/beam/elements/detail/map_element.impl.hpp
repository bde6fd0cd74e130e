// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/map_element.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void MapElement::check(const ElementCheck& check) const {
  check.finite("length", length);
  for (const Polynomial& p : map().component) {
    check.finite("map", p.c);
    for (const double value : p.r) check.finite("map", value);
    for (const double value : p.t) check.finite("map", value);
    for (const double value : p.q) check.finite("map", value);
  }
}

}  // namespace trackplex::beam
