// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/validation/detail/particle_bins.hpp>
#include <trackplex/validation/track_candidates.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace trackplex::validation {

/// Particles and tracks that count, and bins.
struct DetectorTrackingParams {
  int min_track_hits = 4;          ///< smallest number of hits of a track that counts
  int min_particle_hits = 4;       ///< smallest number of hits of a particle that counts
  double min_pt = 0.;              ///< smallest pT of a particle in the efficiency, GeV
  double score_min_pt = 0.5;       ///< pT above which particles count in `score_above_pt`, GeV
  double max_vertex_radius = 1e9;  ///< of a particle in the efficiency, from the z axis, cm
  BinEdges pt{},                   ///< bins of pT, GeV; none by default
      eta{},                       ///< bins of the pseudorapidity; none by default
      phi{};                       ///< bins of the azimuth, rad from -pi to pi; none by default
};

/// Comparison of tracks with the truth. Let n be the hits of a track, N those of a particle, and m
/// the hits that they share. A track belongs to the particle with 2 m > n and 2 m > N (double
/// majority); it is a fake if there is no particle with 2 m > n. It may be neither. Tracks with
/// fewer than `min_track_hits` do not count at all.
struct DetectorTrackingResult {
  /// Score of the TrackML challenge: weights of the hits m of all tracks that belong to a particle,
  /// over all weights. A hit counts in the first track that has it. 0 without weights.
  double score = 0.;
  double score_above_pt = 0.;  ///< the same for particles with pT above `score_min_pt`
  Efficiency efficiency;       ///< particles to which a track belongs / particles that count
  Efficiency duplicates;       ///< particles with two or more such tracks / with one or more
  Efficiency fake_rate;        ///< fakes / tracks
  Efficiency completeness,     ///< m / N, summed over the tracks that belong to a particle
      purity;                  ///< m / n, summed over them
  std::vector<Efficiency> efficiency_pt,  ///< efficiency per bin of the particle's pT
      efficiency_eta,                     ///< efficiency per bin of the particle's eta
      efficiency_phi;                     ///< efficiency per bin of the particle's phi
  std::vector<Efficiency> fake_rate_pt,   ///< fake rate per bin of the track's pT, where known
      fake_rate_eta,                      ///< fake rate per bin of the track's eta, where known
      fake_rate_phi;                      ///< fake rate per bin of the track's phi, where known
  /// Of each track: the index of its particle in its event, or -1.
  std::vector<std::int32_t> particle_of_track;
  std::uint64_t shared_hits = 0;  ///< hits in more than one track
};

namespace detail {

/// Particle with most hits of a track; of several, that with the smallest index.
struct Majority {
  std::int32_t particle = -1;
  std::int32_t hits = 0;
};
template <class Hits>
Majority majority_of(const std::vector<std::int32_t>& particle_of_hit, const Hits& hits) {
  std::map<std::int32_t, std::int32_t> counts;
  for (const auto hit : hits)
    if (const auto particle = particle_of_hit[std::size_t(hit)]; particle >= 0) ++counts[particle];
  Majority most;
  for (const auto& [particle, count] : counts)
    if (count > most.hits) most = {particle, count};
  return most;
}

}  // namespace detail

/// Compares tracks with the truth of their events.
/// @throws UsageError if the truth is not known, or the tracks are not of these events
inline DetectorTrackingResult compare_with_truth(const seeding::DetectorEvents& events,
                                                 const TrackCandidates& tracks,
                                                 const DetectorTrackingParams& params = {}) {
  if (events.particle_of_hit.size() != events.hits.u.size())
    throw UsageError("compare_with_truth", "the particles of hits are not known", {},
                     "use matched_efficiency");
  for (const auto* edges : {&params.pt, &params.eta, &params.phi}) edges->check();
  const auto event_of = detail::events_of_tracks(events, tracks);
  const auto n_hits = detail::count_hits_of_particles(events);
  DetectorTrackingResult result;
  for (auto* bins : {&result.efficiency_pt, &result.fake_rate_pt}) bins->resize(params.pt.size());
  for (auto* bins : {&result.efficiency_eta, &result.fake_rate_eta})
    bins->resize(params.eta.size());
  for (auto* bins : {&result.efficiency_phi, &result.fake_rate_phi})
    bins->resize(params.phi.size());

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
    const Efficiency fake{std::uint64_t(2 * std::size_t(most.hits) <= hits.size()), 1};
    result.fake_rate += fake;
    if (tracks.has_parameters()) {
      const double theta = tracks.theta[t];
      detail::add_to_bin(params.pt, std::sin(theta) / std::abs(tracks.q_over_p[t]), fake,
                         result.fake_rate_pt);
      detail::add_to_bin(params.eta, -std::log(std::tan(0.5 * theta)), fake, result.fake_rate_eta);
      detail::add_to_bin(params.phi, std::remainder(tracks.phi[t], 2. * std::numbers::pi), fake,
                         result.fake_rate_phi);
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
        std::hypot(start(0), start(1)) > params.max_vertex_radius)
      continue;
    const Efficiency one{std::uint64_t(tracks_of[p] > 0), 1};
    result.efficiency += one;
    result.duplicates += {std::uint64_t(tracks_of[p] > 1), one.passed};
    detail::add_to_bin(params.pt, particle.pt, one, result.efficiency_pt);
    detail::add_to_bin(params.eta, particle.eta, one, result.efficiency_eta);
    detail::add_to_bin(params.phi, particle.phi, one, result.efficiency_phi);
  }
  return result;
}

}  // namespace trackplex::validation
