// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/canonical_bend.hpp>
#include <trackplex/beam/elements/trajectory_bend.hpp>
#include <trackplex/core/math.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace trackplex::beam {

TRACKPLEX_INLINE void TrajectoryBend::check(const ElementCheck& check) const {
  magnet.check(check);
  if (magnet.angle == 0.) check.refuse("angle", magnet.angle, "the axis must be curved");
  if (magnet.slices < 1) check.refuse("number of steps", magnet.slices, "there must be one");
  for (const auto& [name, value] :
       {std::pair("horizontal kick", magnet.horizontal_kick),
        std::pair("vertical kick", magnet.vertical_kick),
        std::pair("error of the tilt", magnet.error_tilt),
        std::pair("strength k0", magnet.k0.value_or(0.)),
        std::pair("expanded slopes", double(magnet.expanded)),
        std::pair("correction of the axis", double(magnet.is_corrected)),
        std::pair("quantum radiation", double(magnet.quantum))})
    if (value != 0.) check.refuse(name, value, "it is not computed for this type of bend");
}

namespace steps {

TRACKPLEX_INLINE std::vector<double> TrajectoryBend::coefficients(const ElementPass& pass) const {
  const CanonicalBend& magnet = bend.magnet;
  const BendBody body = magnet.body(magnet.slices);
  const double h = body.angle / body.length, field = body.field_angle / body.length;
  const double side = magnet.angle < 0. ? -1. : 1.;
  const auto tangent = [&](EdgeEffects effects, double angle) {
    return effects == EdgeEffects::none ? 0. : tan(side * angle);
  };
  std::vector<double> c(detail::n_trajectory_coefficients);
  c[detail::trajectory_steps] = magnet.slices;
  c[detail::trajectory_step] = body.length / magnet.slices;
  c[detail::trajectory_h] = h;
  c[detail::trajectory_field] = field;
  c[detail::trajectory_leaps] = bend.is_leap_frog;
  c[detail::trajectory_paraxial] = bend.is_paraxial;
  c[detail::trajectory_entrance] = tangent(magnet.entrance_effects, magnet.entrance);
  c[detail::trajectory_exit] = tangent(magnet.exit_effects, magnet.exit);
  auto radiation = ClassicalRadiation<double>::coefficients(pass, body.length);
  radiation[0] *= magnet.radiates ? body.length * field * field : 0.;  // F is that of the axis
  std::copy(radiation.begin(), radiation.end(), c.begin() + detail::trajectory_radiation);
  c[detail::trajectory_order] = body.field.order;
  c.insert(c.end(), body.field.polynomial.begin(), body.field.polynomial.end());
  return c;
}

}  // namespace steps

// namespace steps
TRACKPLEX_INLINE void TrajectoryBend::add_steps(StepBuilder& to) const {
  TrajectoryBend bend = *this;
  bend.magnet.expansion_order = magnet.nonlinear ? 4 : 1;
  const auto add_edge = [&](bool is_exit) {
    BendEdge edge = magnet.edge(is_exit);
    edge.radius = edge.axis_radius;
    edge.correction_falls = true;
    to.add(steps::Edge{edge});
  };
  magnet.enter(to);
  if (magnet.entrance_effects != EdgeEffects::none) add_edge(false);
  to.add(steps::TrajectoryBend{bend});
  if (magnet.exit_effects != EdgeEffects::none) add_edge(true);
  magnet.leave(to);
}

}  // namespace trackplex::beam
