// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "beamline.hpp"

#include <common/report.hpp>
#include <trackplex/beam/maps/transfer_map.hpp>
#include <trackplex/io/table.hpp>

#include <optional>
#include <string>
#include <vector>

namespace beamline {

struct OpticsOptions {
  bool closed_orbit = false;  ///< of tracked particles; else of Taylor maps on the axis
  double delta = 0.;          ///< of the closed orbit
  double step = 0.;           ///< largest distance of places, m; 0: behind elements only
};

/// Optics along a line.
struct LineOptics {
  trackplex::beam::BeamLine line;                             ///< maybe with elements in parts
  std::vector<trackplex::beam::Optics> optics{};              ///< at the start and behind each
  std::vector<trackplex::beam::TransferMap::Vector> orbit{};  ///< there; empty: the axis
};

/// Finds the periodic optics of a line, if it has some, with tunes and chromaticities.
void find_periodic_optics(Input& input, double p0);

/// The line in parts that are no longer than a step, m; 0: as it is.
trackplex::beam::BeamLine in_steps(const trackplex::beam::BeamLine& line, double step);

/// Optics about the closed orbit of tracked particles, always in double precision. Compiled once
/// per backend and number type, in closed_orbit.cpp.
/// @throws UsageError if there is none
template <class Real, class ExecutionSpace>
trackplex::beam::OrbitOptics orbit_optics(const trackplex::program::Run<Real, ExecutionSpace>& run,
                                          const trackplex::beam::BeamLine& ring, double p0,
                                          double delta);

/// Of Taylor maps: those that the line repeats, if it does, else those of the start of a bunch.
std::vector<trackplex::beam::Optics> optics_of_maps(const Input& input,
                                                    const trackplex::beam::BeamLine& line);

/// A row for the start and behind each element.
trackplex::io::Table optics_table(const Input& input, const LineOptics& optics);

trackplex::program::Json periodic_json(const Input& input);
trackplex::program::Json closed_orbit_json(const trackplex::beam::OrbitOptics& about);

}  // namespace beamline
