// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/scraper.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Scraper::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("position", position);
  check.finite("displacement in x", dx);
  check.finite("displacement in y", dy);
}

TRACKPLEX_INLINE void Scraper::add_steps(StepBuilder& to) const {
  insert(to);
  if (length == 0.) return;
  to.exact_drift(length);
  insert(to);
}

TRACKPLEX_INLINE void Scraper::insert(StepBuilder& to) const {
  switch (from) {
    case From::none:
      return;
    case From::plus_x:
      return to.add(steps::HalfPlane{dx, dy, 1., 0., position});
    case From::minus_x:
      return to.add(steps::HalfPlane{dx, dy, -1., 0., -position});
    case From::plus_y:
      return to.add(steps::HalfPlane{dx, dy, 0., 1., position});
    case From::minus_y:
      return to.add(steps::HalfPlane{dx, dy, 0., -1., -position});
    case From::both_x:
      return to.aperture({.x_max = position, .dx = dx, .dy = dy});
    case From::both_y:
      return to.aperture({.y_max = position, .dx = dx, .dy = dy});
  }
}

}  // namespace trackplex::beam
