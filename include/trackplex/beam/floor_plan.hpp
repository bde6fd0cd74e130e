// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements.hpp>
#include <trackplex/core/math.hpp>

#include <array>
#include <vector>

/// @file
/// Places of the elements of a line in space.

namespace trackplex::beam {

/// Place and directions of the axis of a line in space. At the start z is along the axis, y is up.
struct FloorPlace {
  double path = 0.;                            ///< Length of the axis so far, m.
  std::array<double, 3> position{0., 0., 0.};  ///< Place, m.
  std::array<std::array<double, 3>, 3> axes{
      ///< Directions of the local x, y
      {{{1., 0., 0.}}, {{0., 1., 0.}}, {{0., 0., 1.}}}};  ///< and s, in space.
  double turned = 0.;  ///< Sum of the angles of all bends without tilt so far, rad.
};

namespace detail {

/// Moves a place along an arc of the axis; without an angle, along a straight line.
inline void move_along(FloorPlace& place, double length, const AxisBend& bend) {
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

/// Returns the places of the axis at the start of a line and behind each element, one more than
/// there are elements. Rotations of the system itself (`Rotator`) are not followed.
inline std::vector<FloorPlace> floor_plan(const BeamLine& line, const FloorPlace& start = {}) {
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
