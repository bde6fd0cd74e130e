// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_results.hpp"

#include "fit_counts.hpp"
#include "track_quality.hpp"
#include "vertex_pulls.hpp"
#include "vertex_state.hpp"

#include <trackplex/validation/detector_tracking.hpp>
#include <trackplex/validation/matched_efficiency.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace detector_tracker {

using tracks::DetectorEvents;
using tracks::TrueParticle;
using validation::TrackCandidates;

namespace {

/// The tracks of a batch, with their parameters at the beam.
TrackCandidates candidates_at_beam(const Setup& setup, const DetectorEvents& batch,
                                   std::span<const Tracks> events) {
  return candidates_of(
      batch, events, [&](const EventOfBatch& event, const Tracks& tracks, std::size_t t) {
        const auto& found = tracks.states[t];
        const auto state =
            state_at_beam(setup, first_module(event, tracks, t), found).value_or(found);
        TrueParticle particle{state.parameters, state.charge < 0. ? -1 : 1};
        if (auto& inverse_pt = particle.start(kalman::Parameter::inverse_pt); inverse_pt < 0.) {
          inverse_pt = -inverse_pt;
          particle.charge = -particle.charge;
        }
        const auto beam = validation::beam_parameters(particle, setup.field.tesla(),
                                                      setup.collider.x, setup.collider.y);
        return std::array{beam.phi, beam.theta, beam.z0, beam.q_over_p};
      });
}

/// Tracks at the true vertices, summed over batches.
struct AtVertices {
  VertexPulls pulls{};
  FitCounts fits{};  ///< lost: tracks of particles that do not get to the vertex

  void add(const Setup& setup, const DetectorEvents& batch, std::span<const Tracks> events,
           const std::vector<std::int32_t>& particle_of_track) {
    auto next = particle_of_track.begin();
    for_each_track(batch, events, [&](const auto& event, const Tracks& tracks, std::size_t t) {
      const auto particle = *next++;
      if (particle < 0) return;
      const auto truth = true_state(event.particles()[std::size_t(particle)]);
      const auto state =
          state_at_vertex(setup, first_module(event, tracks, t), tracks.states[t], truth);
      if (state && pulls.add(truth, *state))
        fits.add_fitted(tracks.chi2[t], tracks.measurements[t] - parameters_on_plane, 0);
      else
        ++fits.lost;
    });
  }

  void write(program::Program& p) const {
    p.results["at_vertex"] = pulls.count;
    p.results["lost"] = fits.lost;
    if (pulls.count == 0) return;
    p.results["chi2_per_degree_of_freedom"] = fits.chi2_per_degree_of_freedom();
    p.results["pulls"] = pulls.to_json();
    pulls.write(p);
  }
};

void write_matched(program::Program& p, const validation::MatchedEfficiency& matched) {
  p.results["matched_efficiency"] = matched.value();
  p.results["matched"] = {{"particles", matched.matched.total},
                          {"matched", matched.matched.value()},
                          {"accidental", matched.accidental.value()}};
  p.text += fmt::format(
      "{} particles with at least 5 hits and 0.5 GeV: {:.2f} % matched at the beam, "
      "{:.2f} % with accidental matches ({:.2f} %)\n",
      matched.matched.total, 100. * matched.value(), 100. * matched.matched.value(),
      100. * matched.accidental.value());
}

/// What needs no truth.
void write_counts(program::Program& p, const Setup& setup, const Events& events,
                  const std::vector<Tracks>& tracks) {
  std::size_t n_tracks = 0, n_hits = 0, all_hits = 0, particles = 0, lost_seeds = 0;
  std::vector<std::size_t> of_pass(setup.finder.passes.size(), 0);
  for (const auto& list : tracks) {
    n_tracks += list.size();
    n_hits += list.hits.size();
    lost_seeds += std::size_t(list.lost_seeds);
    for (const auto pass : list.pass) ++of_pass[std::size_t(pass)];
  }
  for (const auto& batch : events.batches) {
    all_hits += batch.hits.u.size();
    particles += batch.particles.size();
  }
  p.results = {{"events", tracks.size()},   {"hits", all_hits},
               {"particles", particles},    {"tracks", n_tracks},
               {"tracks_of_pass", of_pass}, {"sigma_z_cm", setup.beam_spot.sigma_z},
               {"hits_on_tracks", n_hits},  {"lost_seeds", lost_seeds}};
  p.text = fmt::format(
      "{}: {} event{}, {} hits, {} tracks with {:.1f} hits each; collisions spread over {:.2g} cm "
      "along the beam\n",
      setup.name, tracks.size(), tracks.size() == 1 ? "" : "s", all_hits, n_tracks,
      n_tracks > 0 ? double(n_hits) / double(n_tracks) : 0., setup.beam_spot.sigma_z);
  if (lost_seeds > 0)
    p.warn(
        "{} triplets, hits or pairs of hits exceed the capacities of the seeding; tracks may be "
        "missing",
        lost_seeds);
}

}  // namespace

std::optional<double> sigma_z_of(const Setup& setup, const DetectorEvents& batch,
                                 std::span<const Tracks> events) {
  constexpr std::size_t enough = 50;
  const auto tracks = candidates_at_beam(setup, batch, events);
  std::vector<double> distances;
  for (std::size_t t = 0; t < tracks.size(); ++t)
    if (std::sin(tracks.theta[t]) > 0.4)
      distances.push_back(std::abs(tracks.z0[t] - setup.collider.z));
  if (distances.size() < enough) return {};
  // 68 % of a Gaussian; the tracks from elsewhere count little
  const auto sigma = distances.begin() + std::ptrdiff_t(0.683 * double(distances.size()));
  std::ranges::nth_element(distances, sigma);
  return std::max(std::stod(fmt::format("{:.2g}", *sigma)), 0.1);
}

BeyondCut beyond_cut(const Setup& setup, const DetectorEvents& batch,
                     std::span<const Tracks> events) {
  const auto tracks = candidates_at_beam(setup, batch, events);
  BeyondCut result{.max_z0 = setup.finder.passes.front().seeds.max_z0, .tracks = tracks.size()};
  for (const double z0 : tracks.z0)
    result.beyond += std::abs(z0 - setup.collider.z) > result.max_z0 ? 1 : 0;
  return result;
}

void write_found(program::Program& p, const Settings& settings, const Setup& setup,
                 const Events& events, const std::vector<Tracks>& tracks) {
  write_counts(p, setup, events, tracks);
  if (!events.has_particles()) return;
  const bool has_truth = events.has_truth();
  TrackQuality quality(setup.name, events,
                       {.min_pt = settings.above_pt.value_or(0.),
                        .max_vertex_radius = settings.max_vertex_r.value_or(1e9),
                        .beam_x = setup.collider.x,
                        .beam_y = setup.collider.y});
  AtVertices at_vertices;
  validation::MatchedEfficiency matched;
  for_each_batch(events, tracks, [&](const DetectorEvents& batch, std::span<const Tracks> found) {
    const auto candidates = candidates_at_beam(setup, batch, found);
    const auto one = validation::matched_efficiency(
        batch, candidates,
        {.tesla = setup.field.tesla(), .beam_x = setup.collider.x, .beam_y = setup.collider.y});
    matched.matched += one.matched;
    matched.accidental += one.accidental;
    if (has_truth) at_vertices.add(setup, batch, found, quality.add(batch, candidates));
  });
  write_matched(p, matched);
  if (!has_truth) return;
  quality.write(p);
  at_vertices.write(p);
}

}  // namespace detector_tracker
