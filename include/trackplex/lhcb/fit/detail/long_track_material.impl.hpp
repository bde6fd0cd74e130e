// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/shortest.hpp>
#include <trackplex/lhcb/fit/long_track_material.hpp>
#include <trackplex/lhcb/scifi/scifi_channel.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace trackplex::lhcb {

TRACKPLEX_INLINE void check(const LongTrackMaterial& material) {
  const auto& [velo, ut, scifi, before_ut, in_magnet, ut_z] = material;
  std::vector<double> thicknesses = {velo, ut, scifi}, z = {0.};
  for (const auto& plane : before_ut) {
    thicknesses.push_back(plane.radiation_lengths);
    z.push_back(plane.z);
  }
  z.insert(z.end(), ut_z.begin(), ut_z.end());
  for (const auto& plane : in_magnet) {
    thicknesses.push_back(plane.radiation_lengths);
    z.push_back(plane.z);
  }
  z.push_back(scifi_z.front());
  for (const double thickness : thicknesses)
    if (!(thickness >= 0. && thickness <= 1.))
      throw UsageError("material of long tracks",
                       "a thickness cannot be " + shortest(thickness) + " radiation lengths",
                       "allowed: 0 to 1");
  for (std::size_t i = 1; i < z.size(); ++i)
    if (!(z[i - 1] < z[i]))
      throw UsageError("material of long tracks", "the planes are not in the order of z",
                       shortest(z[i]) + " mm follows " + shortest(z[i - 1]) + " mm");
}

}  // namespace trackplex::lhcb
