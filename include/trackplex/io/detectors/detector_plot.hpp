// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Plots of detectors as scripts/plot draws them, see docs/guide/reports.md.

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/description.hpp>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace trackplex::io {

/// Returns an entry of "plots" in a report, named "detector": the detector from the side (z and r;
/// z and x if it has planes) and along the beam (x and y), in equal scales, each layer in a colour.
/// Along the beam, barrels hide disks: these are drawn only where there is no barrel.
nlohmann::ordered_json detector_plot(const geometry::DetectorDescription& detector,
                                     const std::string& title = "");

/// Writes a report with the plot of a detector, which `scripts/plot` draws.
/// @throws Error if the file cannot be written
void write_detector_plot(const std::filesystem::path& file,
                         const geometry::DetectorDescription& detector,
                         const std::string& title = "");

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/detectors/detail/detector_plot.impl.hpp>
#endif
