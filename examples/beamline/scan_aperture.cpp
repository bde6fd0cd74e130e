// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once per execution space and number type: TRACKPLEX_SPACE, TRACKPLEX_REAL.
#include "aperture.hpp"

#include <trackplex/beam/optics/dynamic_aperture.hpp>
#include <trackplex/core/fingerprint.hpp>

#include <chrono>

namespace beamline {

template <class Real, class ExecutionSpace>
TrackedAperture scan_aperture(const program::Run<Real, ExecutionSpace>& run, const Input& input,
                              const ApertureSettings& settings) {
  TrackedAperture found;
  run.with_lanes([&](auto lanes) {
    beam::ApertureScan<Real, ExecutionSpace, beam::ElementTypes<>, lanes()> scan(
        run.exec, input.line, input.p0(), settings.about.orbit.front(), settings.about.periodic(),
        settings.limits);
    const auto begin = std::chrono::steady_clock::now();
    found.starts = scan(settings.grid, settings.turns, settings.advance, settings.ranks);
    const std::chrono::duration<double, std::micro> elapsed =
        std::chrono::steady_clock::now() - begin;
    found.time_us = {{"total", program::spread_of({elapsed.count()})}};
  });
  Fingerprint hash;
  for (const auto& start : found.starts) {
    hash.add(start.x).add(start.y).add(start.loss.turn).add(start.loss.element);
    if (start.loss.element == beam::Loss::none)
      hash.add(start.tune_x).add(start.tune_y).add(start.diffusion);
  }
  found.hash = hash.hex();
  return found;
}

template TrackedAperture scan_aperture(const program::Run<TRACKPLEX_REAL, TRACKPLEX_SPACE>&,
                                       const Input&, const ApertureSettings&);

}  // namespace beamline
