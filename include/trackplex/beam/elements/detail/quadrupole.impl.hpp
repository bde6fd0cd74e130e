// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/quadrupole.hpp>

#include <algorithm>

namespace trackplex::beam {

TRACKPLEX_INLINE void Quadrupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k1", k1);
  check.not_negative("length of the fringe field", fringe.length);
  check.finite("horizontal kick", horizontal);
  check.finite("vertical kick", vertical);
  check.placed(misalignment);
}

TRACKPLEX_INLINE Quadrupole Quadrupole::part(int i,
                                             int n) const {  // fringe fields stay at the ends
  Quadrupole result = *this;
  result.length /= n;
  result.fringe.entrance = fringe.entrance && i == 0;
  result.fringe.exit = fringe.exit && i + 1 == n;
  return result;
}

TRACKPLEX_INLINE TransferMap Quadrupole::magnet_map() const {
  const TransferMap map = quadrupole_map(length, k1, order, fringe);
  if (!has_kicks()) return map;
  const KickerMagnet half{.horizontal = 0.5 * horizontal, .vertical = 0.5 * vertical};
  const TransferMap kick = kicker_map(half, std::min(order, 2));
  return concatenated(concatenated(kick, map), kick);
}

}  // namespace trackplex::beam
