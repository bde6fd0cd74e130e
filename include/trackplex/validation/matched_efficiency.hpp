// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Efficiency of track finding from the parameters of tracks, for events with known particles but
/// without the particle of each hit.

#include <trackplex/core/compiled.hpp>
#include <trackplex/validation/efficiency.hpp>
#include <trackplex/validation/track_candidates.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace trackplex::validation {

/// Parameters of a track at its point of closest approach to the beam, a line along z.
struct BeamParameters {
  double phi,    ///< azimuth of the momentum, rad from -pi to pi
      theta,     ///< polar angle, rad
      z0,        ///< z, cm
      q_over_p;  ///< charge over momentum, 1/GeV
};

/// Returns the parameters at the beam of a particle, including particles from displaced vertices:
/// those of the helix through its vertex at the nearest closest approach to the beam.
/// @param particle particle at its vertex
/// @param tesla field along z, T
/// @param beam_x x of the beam, cm
/// @param beam_y y of the beam, cm
BeamParameters beam_parameters(const tracks::TrueParticle& particle, double tesla,
                               double beam_x = 0., double beam_y = 0.);

/// Selection of particles, and windows of the matching.
struct MatchedEfficiencyParams {
  int min_particle_hits = 5;        ///< smallest number of hits of a particle
  double min_pt = 0.5;              ///< pT above which a particle counts, GeV
  double phi = 0.02,                ///< largest |dphi|, rad
      theta = 0.02,                 ///< largest |dtheta|, rad
      z0 = 0.3,                     ///< largest |dz0|, cm
      relative_q_over_p = 0.3;      ///< largest |d(q/p)| over |q/p| of the particle
  double tesla = 2.;                ///< field near the beam, T
  double beam_x = 0., beam_y = 0.;  ///< of the beam, along z, cm
  double turn_of_accidentals = 1.;  ///< rotation of the particles to count accidental matches, rad
};

/// Result of `matched_efficiency`.
struct MatchedEfficiency {
  Efficiency matched,  ///< particles with a track / particles
      accidental;      ///< the same with all particles rotated about the beam
  /// Returns the difference of the two: the efficiency.
  double value() const { return matched.value() - accidental.value(); }
};

namespace detail {

/// Number of particles with a track, in a one-to-one matching, nearest pairs first.
class BeamMatcher {
 public:
  explicit BeamMatcher(const MatchedEfficiencyParams& params) : params_(params) {}

  std::uint64_t operator()(const std::vector<BeamParameters>& particles,
                           std::vector<BeamParameters> tracks) const;

 private:
  /// Sum of the squares of the differences over their limits; negative: not within the limits.
  double distance(const BeamParameters& particle, const BeamParameters& track, double dphi) const {
    const double differences[] = {dphi / params_.phi,
                                  (track.theta - particle.theta) / params_.theta,
                                  (track.z0 - particle.z0) / params_.z0,
                                  (track.q_over_p - particle.q_over_p) /
                                      (params_.relative_q_over_p * std::abs(particle.q_over_p))};
    double sum = 0.;
    for (const double d : differences) {
      if (!(std::abs(d) <= 1.)) return -1.;
      sum += d * d;
    }
    return sum;
  }

  const MatchedEfficiencyParams& params_;
};

}  // namespace detail

/// Returns the efficiency by a one-to-one matching of tracks to particles at the beam, with the
/// rate of accidental matches, measured with all particles rotated.
/// @throws UsageError if the parameters of the tracks or the numbers of hits of the particles are
/// not known, or the tracks do not belong to these events
MatchedEfficiency matched_efficiency(const tracks::DetectorEvents& events,
                                     const TrackCandidates& tracks,
                                     const MatchedEfficiencyParams& params = {});

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/matched_efficiency.impl.hpp>
#endif
