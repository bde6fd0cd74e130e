// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Lattices of PALS, the Particle Accelerator Lattice Standard, in YAML or JSON, with the files
/// that they load and include.
/// @code
/// const PalsLine ring = read_pals("ring.pals.yaml");
/// beam::LineTracker<double> track(exec, ring.line, ...);  // with ring.particle->p0()
/// @endcode
/// One branch is read: its line with all repetitions, turned parts and what elements inherit;
/// constants, variables, expressions, `set` and controllers have their effect. Lengths are in m,
/// angles in rad, strengths as in PALS. What has no counterpart is an error, or with
/// `skip_unknown` a drift or a marker.
///
/// Elements: BeginningEle, Bend (SBend, RBend), CrabCavity, Drift, FloorShift, Fork, Instrument,
/// Kicker, Marker, Mask, Multipole, Octupole, Patch (rigid, not inclined), Placeholder, Quadrupole,
/// RFCavity, ReferenceChange, Sextupole, Solenoid and Taylor, with apertures and shifts.

#include <trackplex/beam/lattice.hpp>
#include <trackplex/core/compiled.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::io {

/// Reference particle of a branch.
struct PalsParticle {
  std::string species{};  ///< Name, as in PALS.
  double mass = 0.;       ///< Rest energy, eV.
  double charge = 1.;     ///< Charge in units of the elementary one.
  double p0c = 0.;        ///< Momentum times the speed of light, eV.

  double p0() const { return p0c / mass; }  ///< Momentum as beta gamma.
  /// Velocity over that of light.
  double beta() const { return p0() / std::sqrt(1. + p0() * p0()); }
};

/// How lattices of PALS are read, and their magnets tracked.
struct PalsOptions {
  std::string branch{};       ///< Name of a branch, or of a line; empty: the only branch.
  bool skip_unknown = false;  ///< Whether elements that cannot be tracked become drifts.
  bool apertures = true;      ///< Whether apertures limit the beam.
  /// Whether drifts, quadrupoles and edges are exact; else of second order in the momenta, and
  /// linear.
  bool exact = false;
  /// Slices of an integrated magnet; 0: one per tenth of its angle or phase advance, at least 2.
  int slices = 0;
  int integration_order = 6;  ///< Order of the integration of thick magnets: 2, 4 or 6.
  std::uint64_t seed = 1;     ///< Seed of the random numbers of expressions.
  /// Reference particle of a branch without a BeginningEle.
  std::optional<PalsParticle> particle{};
};

/// A branch of PALS, with what is not as in the file.
struct PalsLine {
  std::string name{};                      ///< Name of the branch.
  beam::BeamLine line{};                   ///< Elements in the order of passage.
  std::optional<PalsParticle> particle{};  ///< Reference particle at the start; without one, none.
  bool is_periodic = false;                ///< Whether the file says that it is a ring.
  /// Elements that cannot be tracked and became drifts, by their kinds: "Wiggler (1), Foil (3)".
  std::string drifts{};
  std::vector<std::string> remarks{};  ///< What is not as it may seem, and reminders of the file.
};

/// Parses the text of a file; `name` is its path, for messages and to find other files.
/// @throws InputError if it is no such lattice, or has an element that cannot be tracked
/// @throws UsageError if there are several branches and the options name none, or another one
PalsLine parse_pals(std::string_view text, const std::string& name,
                    const PalsOptions& options = {});

/// Reads a file.
/// @throws InputError if it cannot be read, or as `parse_pals` does
/// @throws UsageError as `parse_pals` does
PalsLine read_pals(const std::filesystem::path& path, const PalsOptions& options = {});

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/pals/detail/pals_lattice.impl.hpp>
#endif
