// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements/elements.hpp>
#include <trackplex/beam/optics/floor_plan.hpp>
#include <trackplex/core/math.hpp>

#include <vector>

namespace trackplex::beam {
namespace detail {

/// Moves a place along an arc of the axis; without an angle, along a straight line.
TRACKPLEX_INLINE void move_along(FloorPlace& place, double length, const AxisBend& bend) {
  const double sine = sin(bend.angle), half = sin(0.5 * bend.angle);
  const double radius = bend.angle == 0. ? 0. : length / bend.angle;
  const double ahead = bend.angle == 0. ? length : radius * sine;
  const double aside = -2. * radius * half * half;  // towards negative x
  const double c = cos(bend.tilt), t = sin(bend.tilt);
  auto& [x, y, s] = place.axes;
  for (int i = 0; i < 3; ++i) {
    const double across = c * x[i] + t * y[i], along = s[i];
    place.position[i] += ahead * along + aside * across;
    s[i] = cos(bend.angle) * along - sine * across;
    const double turned = cos(bend.angle) * across + sine * along;
    x[i] += c * (turned - across);
    y[i] += t * (turned - across);
  }
  place.path += length;
  if (bend.tilt == 0.) place.turned += bend.angle;
}

}  // namespace detail

TRACKPLEX_INLINE std::vector<FloorPlace> floor_plan(const BeamLine& line, const FloorPlace& start) {
  std::vector<FloorPlace> places = {start};
  places.reserve(line.size() + 1);
  for (const Element& element : line) {
    FloorPlace place = places.back();
    detail::move_along(place, length_of(element), element.kind.axis_bend());
    places.push_back(place);
  }
  return places;
}

}  // namespace trackplex::beam
