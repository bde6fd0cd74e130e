// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "beamline.hpp"

#include <common/report.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/io/table.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beamline {

/// Optics along a line.
struct LineOptics {
  beam::BeamLine line;                             ///< maybe with elements in parts
  std::vector<beam::Optics> optics{};              ///< at the start and behind each
  std::vector<beam::TransferMap::Vector> orbit{};  ///< there; empty: the axis
};

/// Finds the periodic optics of a line, if it has some, with tunes and chromaticities: about the
/// closed orbit where magnets steer, unless `about` says otherwise.
/// @throws UsageError if a ring has no closed orbit
void find_periodic_optics(Input& input, double p0, const OpticsAbout& about);

/// The line in parts that are no longer than a step, m; 0: as it is.
beam::BeamLine in_steps(const beam::BeamLine& line, double step);

/// A particle that is tracked through a line, and small motion about it, in double precision.
struct TrackedTurn {
  beam::OrbitOptics about;
  beam::TransferMap turn;           ///< linear map about it
  beam::Chromaticity chromaticity;  ///< of a ring, if it is wanted
};

/// The closed orbit of a ring. In closed_orbit.cpp.
/// @throws UsageError if there is none
TrackedTurn closed_orbit(const beam::BeamLine& ring, double p0, double delta,
                         bool with_chromaticity = true);

/// The way of a particle that starts at `orbit`, and optics about it. In closed_orbit.cpp.
/// @throws UsageError if it is lost, or the reference momentum changes
TrackedTurn trajectory(const beam::BeamLine& line, double p0, const beam::Optics& start,
                       const beam::TransferMap::Vector& orbit);

/// Spins about the closed orbit that starts at `orbit`. In closed_orbit.cpp.
/// @throws UsageError if there is no axis, or the effect of an element on spins is not known
beam::SpinOptics spins_about(const beam::BeamLine& ring, double p0,
                             const beam::TransferMap::Vector& orbit, double anomaly);

/// The optics that a bunch has at the start.
beam::Optics start_of(const simulation::BunchParams& bunch);

/// Tells whether some magnet of a line moves the particle on the axis.
bool line_needs_tracking(const beam::BeamLine& line, double p0);

/// Which optics of a line are meant.
struct LineOpticsOptions {
  OpticsAbout about;
  beam::Optics start;              ///< if they do not repeat themselves
  bool may_steer = false;          ///< whether other lines steer where the first one does not
  bool with_chromaticity = false;  ///< of a ring
};

/// The optics of lines that are like the first one, as `find_periodic_optics` and `optics_of` have
/// them.
std::function<beam::OpticsAlong(const beam::BeamLine&)> optics_function(
    const beam::BeamLine& first, double p0, const LineOpticsOptions& options);

/// Optics along the line, or its parts, about the particle that those of the input are about: those
/// that the line repeats, if it does, else those of the start of a bunch.
LineOptics optics_of(const Input& input, beam::BeamLine line);

/// A row for the start and behind each element.
io::Table optics_table(const Input& input, const LineOptics& optics);

/// What optics are about: "axis", "closed orbit" or "trajectory".
const char* name_of(Input::Reference reference);
program::Json periodic_json(const Input& input);
/// The same as a table.
std::string periodic_text(const Input& input);
program::Json closed_orbit_json(const beam::OrbitOptics& about);

}  // namespace beamline
