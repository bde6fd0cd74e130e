// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "beamline.hpp"

#include <common/report.hpp>
#include <trackplex/beam/transfer_map.hpp>
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

/// A closed orbit at the start of the line, and the motion about it, of tracked particles.
struct OrbitAtStart {
  trackplex::beam::TransferMap::Vector orbit{};
  trackplex::beam::PeriodicOptics periodic;
};

/// Optics along a line.
struct LineOptics {
  trackplex::beam::BeamLine line;                             ///< maybe with elements in parts
  std::vector<trackplex::beam::Optics> optics{};              ///< at the start and behind each
  std::vector<trackplex::beam::TransferMap::Vector> orbit{};  ///< there; empty: the axis
};

/// Finds the periodic optics of a line, if it has some, with tunes and chromaticities.
void find_periodic_optics(Input& input, double p0);

/// @throws UsageError if there is none
OrbitAtStart closed_orbit_of(const Input& input, const OpticsOptions& options);

/// Those that the line repeats, if it does, else those of the start of a bunch.
LineOptics optics_of(const Input& input, const OpticsOptions& options);

/// A row for the start and behind each element.
trackplex::io::Table optics_table(const Input& input, const LineOptics& optics);

trackplex::program::Json periodic_json(const Input& input);
trackplex::program::Json closed_orbit_json(const OrbitAtStart& at);

}  // namespace beamline
