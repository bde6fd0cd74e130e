// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/scifi/forward_magnet.hpp>
#include <trackplex/lhcb/scifi/long_tracks.hpp>
#include <trackplex/lhcb/scifi/scifi_hits.hpp>
#include <trackplex/lhcb/scifi/seeding_params.hpp>
#include <trackplex/lhcb/velo/tracks.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace trackplex::lhcb {

/// Input of the search for tracks in the SciFi alone.
template <class T, class MemorySpace>
struct SeedingInput {
  SeedingCuts<T> cuts;                                     ///< cuts, in mm and MeV
  ScifiHits<T, MemorySpace> hits;                          ///< hits of the SciFi, sorted
  LongTracks<T, MemorySpace> long_tracks;                  ///< tracks whose hits are left out
  Kokkos::View<std::uint32_t*, MemorySpace> velo_offsets;  ///< VeloHits::event_offsets
  int hits_per_slot;                                       ///< VeloTracks::hits_per_slot

  /// First slot of the long tracks of an event.
  KOKKOS_FUNCTION std::size_t long_slot(int event) const {
    return first_slot(velo_offsets(event), event, hits_per_slot);
  }
};

/// Converts the cuts to those of kernels.
/// @throws UsageError if a parameter is out of range
template <class T>
SeedingCuts<T> seeding_cuts(const SeedingParams& p) {
  check(p);
  SeedingCuts<T> cuts{};
  constexpr double linear = 1.6322e-7, quadratic = -5.0217e-12;  // 1/p of x at z = 0
  for (int type = 0; type < 2; ++type) {
    double z[3], dz[3], eta[3];
    for (int s = 0; s < 3; ++s) {
      z[s] = scifi_z[std::size_t(3 * type + 4 * s)];
      dz[s] = z[s] - forward_z_middle;
      eta[s] = dz[s] * dz[s] * (1. + seed_cubic * dz[s]);
    }
    const double lever = (z[2] - z[0]) / z[0];
    const double root = linear * linear + 4. * quadratic / p.min_p;
    // largest |x| at z = 0
    const double at_beam = (-linear + (root > 0. ? std::sqrt(root) : 0.)) / (2. * quadratic);
    cuts.scale[type] = T((z[2] + 2.18e6 * lever / (p.min_p + 1073.)) / z[0]);
    cuts.reach[type] = T(lever * at_beam);
    // sagitta of the second hit, mm, of a curvature of 1/mm
    const double bow = (z[1] - z[0]) / (z[2] - z[0]) * (eta[2] - eta[0]) + eta[0] - eta[1];
    cuts.sagitta[type] = T(2.49e-2 * bow);
    cuts.offset[type] = T(0.5 * 1.82e-6 * bow);
    cuts.middle2[type] = T(p.curvature_tolerance * bow * p.curvature_tolerance * bow);
  }
  cuts.x_distance2 = T(p.x_distance2);
  cuts.candidates = p.candidates;
  cuts.stereo_distance2 = T(p.stereo_distance2);
  cuts.max_y = T(p.max_y);
  cuts.min_hits = p.min_hits;
  cuts.max_quality = T(p.max_quality);
  cuts.max_shared = T(p.max_shared);
  return cuts;
}

}  // namespace trackplex::lhcb
