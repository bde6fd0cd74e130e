// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/geometry/description.hpp>
#include <trackplex/io/display/gltf_file.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <vector>

namespace trackplex::io {

/// Returns the frames of the modules of a detector, a mesh for each layer; of layers without
/// modules, those of barrels and disks. Its lengths are in cm.
std::vector<GltfMesh> detector_frames(const geometry::DetectorDescription& detector);

/// Returns the frames of the sensors of the VELO, at their nominal places.
GltfMesh velo_frames();

/// Returns the frames of the sensors of the VELO, the sectors of the UT and the mats of the SciFi,
/// where there is one.
std::vector<GltfMesh> detector_frames(const lhcb::Detector& detector);

}  // namespace trackplex::io

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/io/display/detail/detector_frames.impl.hpp>
#endif
