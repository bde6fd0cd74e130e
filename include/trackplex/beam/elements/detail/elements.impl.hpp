// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/element.hpp>
#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/elements/map_elements.hpp>

namespace trackplex::beam {

TRACKPLEX_INLINE void Drift::add_steps(StepBuilder& to) const { to.map(map_to(order)); }

TRACKPLEX_INLINE void ExactDrift::add_steps(StepBuilder& to) const { to.exact_drift(length); }

TRACKPLEX_INLINE void ExpandedDrift::add_steps(StepBuilder& to) const {
  to.add(steps::ExpandedDrift{length});
}

TRACKPLEX_INLINE void CanonicalQuadrupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k1", k1);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap CanonicalQuadrupole::map_to(int order) const {
  return misaligned(quadrupole_map(length, k1, order), misalignment);
}

TRACKPLEX_INLINE void CanonicalQuadrupole::add_steps(StepBuilder& to) const {
  to.placed(misalignment, [&] {
    to.in_slices(slices, [&](int n, double part) {
      to.add(steps::Magnet<QuadrupoleField>{length * part, k1, n, integration_order});
    });
  });
}

TRACKPLEX_INLINE void CanonicalSextupole::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.finite("strength k2", k2);
  check.placed(misalignment);
}

TRACKPLEX_INLINE TransferMap CanonicalSextupole::map_to(int order) const {
  return misaligned(sextupole_map(length, k2, order), misalignment);
}

TRACKPLEX_INLINE void CanonicalSextupole::add_steps(StepBuilder& to) const {
  to.placed(misalignment, [&] {
    to.in_slices(slices, [&](int n, double part) {
      to.add(steps::Magnet<SextupoleField>{length * part, k2, n, integration_order});
    });
  });
}

TRACKPLEX_INLINE void Collimator::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.open(aperture);
}

TRACKPLEX_INLINE void Collimator::add_steps(StepBuilder& to) const {
  to.aperture(aperture);
  if (length == 0.) return;
  to.exact_drift(length);
  Aperture exit = aperture;  // as in elegant
  exit.y_exponent = exit.x_exponent;
  to.aperture(exit);
}

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

TRACKPLEX_INLINE void SpaceChargeDrift::check(const ElementCheck& check) const {
  check.not_negative("length", length);
  check.not_negative("effective length", effective_length);
  check.finite("radius factor", radius_factor);
  for (const double value : {low_frequency.begin, low_frequency.end})
    check.finite("low frequency cutoff", value);
  for (const double value : {high_frequency.begin, high_frequency.end})
    check.finite("high frequency cutoff", value);
}

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
