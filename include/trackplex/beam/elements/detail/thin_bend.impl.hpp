// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/multipole.hpp>
#include <trackplex/beam/elements/thin_bend.hpp>
#include <trackplex/beam/maps/bend_maps.hpp>
#include <trackplex/core/math.hpp>

#include <algorithm>

namespace trackplex::beam {

TRACKPLEX_INLINE void ThinBend::check(const ElementCheck& check) const {
  check.finite("angle", angle);
  check.not_negative("length of the field", field_length);
  kick().check(check);
}

TRACKPLEX_INLINE TransferMap ThinBend::map_to(int order) const {
  order = std::min(order, 2);
  TransferMap map = TransferMap::identity(order);
  map.C(2) = angle;
  map.R(2, 1) = -focusing();
  map.R(5, 1) = angle;
  if (order > 1) {
    map.T(2, 6, 1) = focusing();
    map.T(2, 1, 1) = -gradient();
    map.T(2, 3, 3) = 0.5 * gradient();
    map.T(4, 3, 1) = gradient();
  }
  const Misalignment by = in_its_plane();
  return misaligned(misaligned_bend(concatenated(map, thin_multipole_map(field, order)), by, angle),
                    {.tilt = misalignment.tilt});
}

/// The displacement in the system of the bend.
TRACKPLEX_INLINE Misalignment ThinBend::in_its_plane() const {
  const double c = cos(misalignment.tilt), s = sin(misalignment.tilt);
  return {.dx = c * misalignment.dx + s * misalignment.dy,
          .dy = c * misalignment.dy - s * misalignment.dx,
          .dz = misalignment.dz};
}

TRACKPLEX_INLINE void ThinBend::add_steps(StepBuilder& to) const {
  const Misalignment by = in_its_plane();
  const bool is_displaced = by.dx != 0. || by.dy != 0. || by.dz != 0.;
  to.placed({.tilt = misalignment.tilt}, [&] {
    if (is_displaced) {
      to.exact_drift(by.dz);
      to.shift(-by.dx, 0., -by.dy, 0.);
    }
    to.add(steps::ThinBend{angle, focusing(), gradient()});
    kick().add_steps(to);
    if (!is_displaced) return;
    const double c = cos(angle), s = sin(angle), along = by.dx * s - by.dz * c;
    to.exact_drift(along);
    to.shift(by.dx * c + by.dz * s, 0., by.dy, 0.);
    to.add(steps::Lengthen{by.dz + along});
  });
}

TRACKPLEX_INLINE double ThinBend::gradient() const {
  if (!has_curved_gradient || field_length <= 0.) return 0.;
  return angle * Multipoles::of(field.normal, 1) / field_length;
}
TRACKPLEX_INLINE double ThinBend::focusing() const {
  return field_length > 0. ? angle * Multipoles::of(field.normal, 0) / field_length : 0.;
}

}  // namespace trackplex::beam
