// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "optics.hpp"

#include <trackplex/beam/optics/aperture_grid.hpp>

#include <functional>
#include <string>
#include <vector>

namespace beamline {

/// How particles around a closed orbit are tracked.
struct ApertureSettings {
  beam::ApertureGrid grid;
  int turns = 1;
  beam::CoordinateLimits limits;       ///< m; 1
  beam::OrbitOptics about;             ///< the closed orbit
  std::function<void(int)> advance{};  ///< so many turns further
  const Ranks* ranks = nullptr;        ///< that share the particles
};

/// What became of them.
struct TrackedAperture {
  std::vector<beam::ApertureStart> starts;
  std::string hash;
  program::Times time_us;  ///< all turns, "total"
};

/// Tracks the starts of a grid. Compiled once per backend and number type, in scan_aperture.cpp.
template <class Real, class ExecutionSpace>
TrackedAperture scan_aperture(const program::Run<Real, ExecutionSpace>& run, const Input& input,
                              const ApertureSettings& settings);

/// Starts that survived, their area, and how far tunes diffuse.
program::Json aperture_json(const ApertureSettings& settings, const TrackedAperture& found);
std::string aperture_text(const Input& input, const program::Json& results);

/// A row for each start.
io::Table aperture_table(const TrackedAperture& found);

/// Starts and tunes, coloured by what became of them.
program::Json aperture_plot(const Input& input, const ApertureSettings& settings,
                            const TrackedAperture& found);

}  // namespace beamline
