// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/elements.hpp>

namespace trackplex::test {

/// Every kind of element that takes particles one by one, each with what makes its kernel do all it
/// can. `aperture`: how many times as wide as usual the collimators are.
inline beam::BeamLine every_element(double aperture = 1.) {
  using namespace beam;
  const SectorBend magnet{
      .length = 0.5, .angle = 0.2, .k1 = 1.5, .entrance = 0.1, .exit = 0.05, .half_gap = 0.02};
  const Misalignment moved{1e-3, -2e-3, 0.1};
  return {
      {"d", Drift{0.8, 2}},
      {"ed", ExactDrift{0.5}},
      {"q", Quadrupole{0.2, 1.5, 2, moved}},
      {"q3", Quadrupole{0.2, -1.5, 3}},
      {"kq", ThickQuadrupole{0.2, 2., 3, 4, moved}},
      {"s", Sextupole{0.1, 20., 2}},
      {"s3", Sextupole{0.1, 20., 3, moved}},
      {"ks", ThickSextupole{0.1, 20., 2, 6}},
      {"b", Bend{magnet, 2, {0., 0., 0.05}}},
      {"k", Kicker{0.3, 1e-4, -2e-4, 0.3}},
      {"m", Marker{}},
      {"qe", Quadrupole{0.2, 1.5, 2, {1e-3, 0., 0.1, 2e-3}, {.length = 0.01}, 1e-4, -2e-4}},
      {"se", Sextupole{0.1, 20., 2, {}, 0.1, -0.2}},
      {"o", Octupole{0.1, 500., 3, moved}},
      {"be", Bend{{.length = 0.5, .angle = 0.2, .dipole_error = 1e-3, .error_tilt = 1e-2}}},
      {"ke", Kicker{.length = 0.2, .horizontal = 1e-3, .b2 = 10., .edges = true}},
      {"so", Solenoid{0.2, 0.5, 2, moved}},
      {"sf", SolenoidField{0.2, 0.01, 2, {0., 0., 0., 1e-3}}},
      {"mo", Monitor{0.1}},
      {"r",
       Collimator{0.1, {Aperture::Shape::rectangle, 2e-2 * aperture, 1e-2 * aperture, 1e-3, 0.}}},
      {"e",
       Collimator{0., {Aperture::Shape::ellipse, 1.5e-2 * aperture, 9e-3 * aperture, 0., 1e-3}}},
      {"map", MapElement{0.5, misaligned(sector_bend_map(magnet, 2), {1e-3, -1e-3, 0.})}},
      {"map3", MapElement{0.2, misaligned(quadrupole_map(0.2, 5., 3), moved)}}};
}

}  // namespace trackplex::test
