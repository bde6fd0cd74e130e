// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/add_map.hpp>
#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

namespace detail {

TRACKPLEX_INLINE void add_map_and_shift(StepBuilder& to, TransferMap map, MapField field) {
  const TransferMap::Vector shift = map(TransferMap::Vector{});
  for (Polynomial& p : map.component) p.c = 0.;
  field.dxp = shift[xp];
  field.dyp = shift[yp];
  to.map(map, field);
  if (shift[x] != 0. || shift[xp] != 0. || shift[y] != 0. || shift[yp] != 0.)
    to.shift(shift[x], shift[xp], shift[y], shift[yp]);
  if (shift[s] != 0.) to.add(steps::Lengthen{shift[s]});
}

TRACKPLEX_INLINE void add_misaligned(StepBuilder& to, const TransferMap& map,
                                     const Misalignment& by, const MapField& field) {
  if (by.dz != 0.) return to.map(misaligned(map, by), field);
  to.placed(by, [&] { to.map(map, field); });
}

}  // namespace detail

}  // namespace trackplex::beam
