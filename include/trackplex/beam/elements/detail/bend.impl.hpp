// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/bend.hpp>
#include <trackplex/beam/elements/detail/add_map.hpp>
#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE AxisBend Bend::axis_bend() const {
  return {magnet.angle, misalignment.tilt, magnet.k1, magnet.entrance_edge ? magnet.entrance : 0.,
          magnet.exit_edge ? magnet.exit : 0.};
}

TRACKPLEX_INLINE void Bend::check(const ElementCheck& check) const {
  check.not_negative("length", magnet.length);
  check.finite("angle", magnet.angle);
  check.finite("strength k1", magnet.k1);
  check.finite("strength k2", magnet.k2);
  check.finite("angle of the entrance edge", magnet.entrance);
  check.finite("angle of the exit edge", magnet.exit);
  check.not_negative("half gap", magnet.half_gap);
  check.finite("integral of the fringe field", magnet.fringe);
  check.finite("curvature of the entrance", magnet.entrance_curvature);
  check.finite("curvature of the exit", magnet.exit_curvature);
  check.finite("error of the field", magnet.dipole_error);
  if (magnet.dipole_error <= -1.)
    check.refuse("error of the field", magnet.dipole_error, "it must be above -1");
  check.finite("error tilt", magnet.error_tilt);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap Bend::map_to(int) const {
  return misaligned_bend(magnet_map(), misalignment, magnet.angle);
}

TRACKPLEX_INLINE void Bend::add_steps(StepBuilder& to) const {
  const Misalignment& by = misalignment;
  const double h = magnet.angle / magnet.length;
  const MapField field{.is_transverse = true,
                       .bend = magnet.angle,
                       .entrance = magnet.entrance_edge && magnet.angle != 0. ? h : 0.,
                       .exit = magnet.exit_edge && magnet.angle != 0. ? h : 0.};
  if (by.dx != 0. || by.dy != 0. || by.dz != 0.)
    return to.map(map_to(order), by.tilt == 0. ? field : MapField{});
  to.placed(by, [&] { detail::add_map_and_shift(to, magnet_map(), field); });
}

TRACKPLEX_INLINE Bend Bend::part(int i, int n) const {  // edges stay at the ends
  Bend result = *this;
  result.magnet.length /= n;
  result.magnet.angle /= n;
  result.magnet.entrance_edge = magnet.entrance_edge && i == 0;
  result.magnet.exit_edge = magnet.exit_edge && i + 1 == n;
  return result;
}

}  // namespace trackplex::beam
