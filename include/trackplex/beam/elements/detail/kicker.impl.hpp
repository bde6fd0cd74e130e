// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/detail/add_map.hpp>
#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/kicker.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Kicker::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("horizontal kick", horizontal);
  check.finite("vertical kick", vertical);
  check.finite("tilt", tilt);
  check.finite("sextupole component b2", b2);
}

TRACKPLEX_INLINE TransferMap Kicker::map_to(int) const {
  return misaligned(kicker_map_in_plane(magnet(), order), {.tilt = whole_tilt()});
}

TRACKPLEX_INLINE void Kicker::add_steps(StepBuilder& to) const {
  to.placed({.tilt = whole_tilt()}, [&] {
    detail::add_map_and_shift(to, kicker_map_in_plane(magnet(), order), {.is_transverse = true});
  });
}

}  // namespace trackplex::beam
