// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/validation/detail/particle_bins.hpp>
#include <trackplex/validation/detector_tracking.hpp>
#include <trackplex/validation/track_candidates.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace trackplex::validation {

TRACKPLEX_INLINE DetectorTrackingResult compare_with_truth(const tracks::DetectorEvents& events,
                                                           const TrackCandidates& tracks,
                                                           const DetectorTrackingParams& params) {
  if (events.particle_of_hit.size() != events.hits.u.size())
    throw UsageError("compare_with_truth", "the particles of hits are not known", {},
                     "use matched_efficiency");
  for (const auto* edges : {&params.pt, &params.eta, &params.phi}) edges->check();
  const auto event_of = detail::events_of_tracks(events, tracks);
  const auto n_hits = detail::count_hits_of_particles(events);
  DetectorTrackingResult result;
  detail::clear_bins(params, result);

  std::vector<std::uint32_t> tracks_of(events.particles.size(), 0);
  std::vector<bool> used(events.hits.u.size(), false), shared(events.hits.u.size(), false);
  double score = 0., above = 0., all = 0., all_above = 0.;
  const auto pt_of = [&](std::size_t particle) {
    return 1. / events.particles[particle].start(kalman::Parameter::inverse_pt);
  };
  for (std::size_t t = 0; t < tracks.size(); ++t) {
    const auto hits = tracks.hits_of(t);
    result.particle_of_track.push_back(-1);
    std::vector<std::int32_t> first_use;
    for (const auto hit : hits) {
      if (used[std::size_t(hit)])
        shared[std::size_t(hit)] = true;
      else
        first_use.push_back(hit);
      used[std::size_t(hit)] = true;
    }
    const auto offset = std::size_t(events.particle_offsets[std::size_t(event_of[t])]);
    const auto belongs = [&](const detail::Majority& most, std::size_t n) {
      return most.particle >= 0 && 2 * std::size_t(most.hits) > n &&
             2 * most.hits > n_hits[offset + std::size_t(most.particle)];
    };
    // the score of the challenge, in which a hit is in one track
    if (!events.weight.empty() && int(first_use.size()) >= params.min_track_hits) {
      const auto most = detail::majority_of(events.particle_of_hit, first_use);
      if (belongs(most, first_use.size())) {
        const bool counts = pt_of(offset + std::size_t(most.particle)) > params.score_min_pt;
        for (const auto hit : first_use) {
          if (events.particle_of_hit[std::size_t(hit)] != most.particle) continue;
          score += events.weight[std::size_t(hit)];
          if (counts) above += events.weight[std::size_t(hit)];
        }
      }
    }
    if (int(hits.size()) < params.min_track_hits) continue;
    const auto most = detail::majority_of(events.particle_of_hit, hits);
    const bool fake = 2 * std::size_t(most.hits) <= hits.size();
    result.fake_rate += {std::uint64_t(fake), 1};
    if (tracks.has_parameters()) {
      const double theta = tracks.theta[t];
      detail::add_track(params, std::sin(theta) / std::abs(tracks.q_over_p[t]), eta_of(theta),
                        tracks.phi[t], fake, result);
    }
    if (!belongs(most, hits.size())) continue;
    result.particle_of_track.back() = most.particle;
    const auto particle = offset + std::size_t(most.particle);
    ++tracks_of[particle];
    result.completeness += {std::uint64_t(most.hits), std::uint64_t(n_hits[particle])};
    result.purity += {std::uint64_t(most.hits), hits.size()};
  }
  for (int event = 0; event < events.events() && !events.weight.empty(); ++event)
    for (auto hit = events.hits.first(event); hit < events.hits.first(event + 1); ++hit) {
      all += events.weight[std::size_t(hit)];
      const auto particle = events.particle_of_hit[std::size_t(hit)];
      if (particle >= 0 && pt_of(std::size_t(events.particle_offsets[std::size_t(event)] +
                                             particle)) > params.score_min_pt)
        all_above += events.weight[std::size_t(hit)];
    }
  result.score = all > 0. ? score / all : 0.;
  result.score_above_pt = all_above > 0. ? above / all_above : 0.;
  result.shared_hits = std::uint64_t(std::count(shared.begin(), shared.end(), true));
  for (std::size_t p = 0; p < events.particles.size(); ++p) {
    const detail::ParticleKinematics particle(events.particles[p]);
    const auto& start = events.particles[p].start;
    if (n_hits[p] < params.min_particle_hits || particle.pt < params.min_pt ||
        std::hypot(start(0) - params.beam_x, start(1) - params.beam_y) > params.max_vertex_radius)
      continue;
    detail::add_particle(params, particle, tracks_of[p], result);
  }
  return result;
}

}  // namespace trackplex::validation
