// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// How MAD-X files are read, and the beams that they define.

#include <trackplex/core/constants.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::io {

/// How MAD-X files are read, and the magnets of their elements are tracked.
struct MadxOptions {
  /// Whether elements that cannot be tracked become drifts of their length.
  bool skip_unknown = false;
  /// Whether drifts and edges of bends are exact; else drifts are to second order in the momenta
  /// and edges linear, as in MAD-X and xsuite.
  bool exact = false;
  bool apertures = true;  ///< Whether apertures of elements limit the beam.
  /// Slices of an integrated magnet; 0: one per tenth of the phase advance sqrt(|k1|) l and of the
  /// angle, rad, and at least 2.
  int slices = 0;
  int integration_order = 6;  ///< Order of the integration: 2, 4 or 6.
  /// Variables whose values go before those of files.
  std::vector<std::pair<std::string, double>> variables{};
};

/// Particles of a beam, by the statement BEAM.
struct MadxBeam {
  std::string particle = "positron";       ///< Name.
  double mass = constants::electron_mass;  ///< Rest energy, GeV.
  double charge = 1.;                      ///< Charge in units of the elementary one.
  double energy = 1.;                      ///< Energy with the rest energy, GeV.

  double gamma() const { return energy / mass; }  ///< Energy over the rest energy.
  /// Momentum times the speed of light, GeV.
  double pc() const { return std::sqrt((energy - mass) * (energy + mass)); }
  double beta() const { return pc() / energy; }  ///< Velocity over that of light.
  double p0() const { return pc() / mass; }      ///< Momentum as beta gamma.
  /// Magnetic rigidity, T m.
  double brho() const {
    return pc() / (constants::momentum_per_tesla_metre * std::max(1e-300, std::abs(charge)));
  }
};

}  // namespace trackplex::io
