// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/validation/detail/particle_bins.hpp>
#include <trackplex/validation/track_candidates.hpp>

#include <cstdint>
#include <vector>

namespace trackplex::validation {

/// Selection of particles and tracks, and bins.
struct DetectorTrackingParams {
  int min_track_hits = 4;           ///< min number of hits of a track
  int min_particle_hits = 4;        ///< min number of hits of a particle
  double min_pt = 0.;               ///< smallest pT of a particle in the efficiency, GeV
  double score_min_pt = 0.5;        ///< pT above which particles count in `score_above_pt`, GeV
  double max_vertex_radius = 1e9;   ///< of a particle in the efficiency, from the beam, cm
  double beam_x = 0., beam_y = 0.;  ///< of the beam, along z, cm
  BinEdges pt{},                    ///< bins of pT, GeV; none by default
      eta{},                        ///< bins of the pseudorapidity; none by default
      phi{};                        ///< bins of the azimuth, rad modulo a turn; none by default
};

/// Comparison of tracks with the truth. Let n be the number of hits of a track, N that of a
/// particle, and m the number of hits that they share. A track belongs to the particle with 2 m > n
/// and 2 m > N (double majority); it is a fake if there is no particle with 2 m > n. It may be
/// neither. Tracks with fewer than `min_track_hits` do not count at all. Good tracks are those that
/// belong to a particle.
struct DetectorTrackingResult : TrackRates {
  /// Score of the TrackML challenge: sum of the weights of the shared hits of all tracks that
  /// belong to a particle, over the sum of all weights. A hit counts in the first track that has
  /// it. 0 without weights.
  double score = 0.;
  double score_above_pt = 0.;  ///< the same for particles with pT above `score_min_pt`
  Efficiency fake_rate;        ///< fakes / tracks
  Efficiency completeness,     ///< m / N, summed over the tracks that belong to a particle
      purity;                  ///< m / n, summed over the same tracks
  /// For each track, the index of its particle in its event, or -1.
  std::vector<std::int32_t> particle_of_track;
  std::uint64_t shared_hits = 0;  ///< hits in more than one track
};

/// Compares tracks with the truth of their events.
/// @throws UsageError if the truth is not known, or the tracks do not belong to these events
DetectorTrackingResult compare_with_truth(const tracks::DetectorEvents& events,
                                          const TrackCandidates& tracks,
                                          const DetectorTrackingParams& params = {});

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/detector_tracking.impl.hpp>
#endif
