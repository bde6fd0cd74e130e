// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/stable_sort.hpp>
#include <trackplex/kalman/field_along_z.hpp>
#include <trackplex/validation/matched_efficiency.hpp>
#include <trackplex/validation/track_candidates.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <tuple>
#include <vector>

namespace trackplex::validation {

TRACKPLEX_INLINE BeamParameters beam_parameters(const tracks::TrueParticle& particle, double tesla,
                                                double beam_x, double beam_y) {
  using Q = kalman::Parameter;
  const auto& at = particle.start;
  const double curvature =
      kalman::curvature_per_inverse_pt(double(particle.charge), tesla) * at(Q::inverse_pt);
  const double x = at(0) - beam_x, y = at(1) - beam_y;
  const double cosine = std::cos(at(Q::phi)), sine = std::sin(at(Q::phi));
  double turn = 0., length = -(x * cosine + y * sine);
  if (curvature != 0.) {
    // from the centre of the circle, (cx, cy) / curvature
    const double cx = curvature * x - sine, cy = curvature * y + cosine;
    turn = std::remainder(std::atan2(-cx, cy) - at(Q::phi), 2. * std::numbers::pi);
    length = turn / curvature;
  }
  return {std::remainder(at(Q::phi) + turn, 2. * std::numbers::pi), at(Q::theta),
          at(2) + length / std::tan(at(Q::theta)),
          particle.charge * at(Q::inverse_pt) * std::sin(at(Q::theta))};
}

namespace detail {

TRACKPLEX_INLINE std::uint64_t BeamMatcher::operator()(const std::vector<BeamParameters>& particles,
                                                       std::vector<BeamParameters> tracks) const {
  constexpr double two_pi = 2. * std::numbers::pi;
  stable_sort(tracks, [](const auto& a, const auto& b) { return a.phi < b.phi; });
  std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
  for (std::size_t p = 0; p < particles.size(); ++p)
    for (const double turn : {-two_pi, 0., two_pi}) {
      const double phi = particles[p].phi + turn;
      auto track = std::lower_bound(tracks.begin(), tracks.end(), phi - params_.phi,
                                    [](const auto& a, double low) { return a.phi < low; });
      for (; track != tracks.end() && track->phi <= phi + params_.phi; ++track)
        if (const double d = distance(particles[p], *track, track->phi - phi); d >= 0.)
          pairs.emplace_back(d, p, std::size_t(track - tracks.begin()));
    }
  std::sort(pairs.begin(), pairs.end());
  std::vector<bool> has_track(particles.size(), false), is_used(tracks.size(), false);
  std::uint64_t matched = 0;
  for (const auto& [d, p, t] : pairs) {
    if (has_track[p] || is_used[t]) continue;
    has_track[p] = is_used[t] = true;
    ++matched;
  }
  return matched;
}

}  // namespace detail

TRACKPLEX_INLINE MatchedEfficiency matched_efficiency(const tracks::DetectorEvents& events,
                                                      const TrackCandidates& tracks,
                                                      const MatchedEfficiencyParams& params) {
  if (!tracks.has_parameters() && tracks.size() > 0)
    throw UsageError("matched_efficiency", "the parameters of the tracks are not known", {},
                     "give phi, theta, z0 and q_over_p");
  const bool count = events.n_hits.empty() && !events.particle_of_hit.empty();
  const auto n_hits = count ? detail::count_hits_of_particles(events) : events.n_hits;
  if (n_hits.size() != events.particles.size())
    throw UsageError("matched_efficiency", "the numbers of hits of particles are not known");
  const auto event_of = detail::events_of_tracks(events, tracks);
  std::vector<std::vector<BeamParameters>> found(std::size_t(events.events()));
  for (std::size_t t = 0; t < tracks.size(); ++t)
    found[std::size_t(event_of[t])].push_back({std::remainder(tracks.phi[t], 2. * std::numbers::pi),
                                               tracks.theta[t], tracks.z0[t], tracks.q_over_p[t]});
  MatchedEfficiency result;
  const detail::BeamMatcher match(params);
  for (int event = 0; event < events.events(); ++event) {
    std::vector<BeamParameters> particles, turned;
    for (auto p = events.particle_offsets[std::size_t(event)];
         p < events.particle_offsets[std::size_t(event) + 1]; ++p) {
      const auto& particle = events.particles[std::size_t(p)];
      if (n_hits[std::size_t(p)] < params.min_particle_hits || particle.charge == 0 ||
          !(particle.start(kalman::Parameter::inverse_pt) * params.min_pt < 1.))
        continue;
      particles.push_back(beam_parameters(particle, params.tesla, params.beam_x, params.beam_y));
      turned.push_back(particles.back());
      turned.back().phi =
          std::remainder(turned.back().phi + params.turn_of_accidentals, 2. * std::numbers::pi);
    }
    const auto& of_event = found[std::size_t(event)];
    result.matched += {match(particles, of_event), particles.size()};
    result.accidental += {match(turned, of_event), particles.size()};
  }
  return result;
}

}  // namespace trackplex::validation
