// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/core/spaces.hpp>
#include <trackplex/geometry/coverage.hpp>
#include <trackplex/geometry/detail/cover_cells.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace trackplex::geometry {

TRACKPLEX_INLINE std::vector<CoverageGrid> find_coverage(const DetectorDescription& detector,
                                                         const CoverageParams& params) {
  check_numbers(detector);
  for (const double length : {params.margin, params.slope})
    if (!(length >= 0.) || !std::isfinite(length))
      throw UsageError("coverage", "the margin or slope is negative or not finite",
                       shortest(length), "see CoverageParams");
  if (!std::isfinite(params.z))
    throw UsageError("coverage", "the centre of collisions is nowhere", shortest(params.z),
                     "see CoverageParams");
  if (params.cells_per_module < 1 || params.max_cells < 1 || !(params.max_cell > 0.))
    throw UsageError("coverage", "there are no cells", {},
                     "raise cells_per_module, max_cells or max_cell");
  std::vector<char> is_dead(detector.modules.size());
  for (const int module : params.dead) {
    if (module < 0 || module >= int(detector.modules.size()))
      throw UsageError("coverage", "there is no such module", std::to_string(module),
                       "CoverageParams::dead has numbers of modules, not identifiers");
    is_dead[std::size_t(module)] = 1;
  }
  std::vector<CoverageGrid> grids;
  for (int l = 0; l < int(detector.layers.size()); ++l)
    grids.push_back(detail::LayerCover(detector, l, is_dead, params).grid());
  return grids;
}

}  // namespace trackplex::geometry
