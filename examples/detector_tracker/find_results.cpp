// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_results.hpp"

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

namespace kalman = trackplex::kalman;
namespace validation = trackplex::validation;
using trackplex::program::Json;
using trackplex::seeding::DetectorEvents;
using trackplex::seeding::TrueParticle;
using validation::DetectorTrackingResult;
using validation::TrackCandidates;

namespace {

constexpr int of_plane = VertexPulls::size;  ///< parameters of a state on a plane

/// The tracks of a batch, with their parameters at the beam.
TrackCandidates candidates_of(const Setup& setup, const DetectorEvents& batch,
                              std::span<const Tracks> events) {
  TrackCandidates candidates;
  for (std::size_t event = 0; event < events.size(); ++event)
    for (std::size_t t = 0; t < events[event].size(); ++t) {
      std::vector<std::int32_t> hits;
      for (const auto hit : events[event].hits_of(t))
        hits.push_back(batch.hits.first(int(event)) + hit);
      const auto& found = events[event].states[t];
      const auto module = batch.hits.module[std::size_t(hits.front())];
      const auto state = state_at_beam(setup, module, found).value_or(found);
      TrueParticle particle{state.parameters, state.charge < 0. ? -1 : 1};
      if (auto& inverse_pt = particle.start(kalman::Parameter::inverse_pt); inverse_pt < 0.) {
        inverse_pt = -inverse_pt;
        particle.charge = -particle.charge;
      }
      const auto beam = validation::beam_parameters(particle, setup.field.tesla(), setup.collider.x,
                                                    setup.collider.y);
      candidates.add(hits, beam.phi, beam.theta, beam.z0, beam.q_over_p);
    }
  return candidates;
}

/// Pulls of tracks at the true vertices, summed over batches.
class VertexSums {
 public:
  explicit VertexSums(const Setup& setup) : setup_(setup) {}

  void add(const DetectorEvents& batch, std::span<const Tracks> events,
           const DetectorTrackingResult& result) {
    std::size_t number = 0;
    for (std::size_t e = 0; e < events.size(); ++e) {
      const EventOfBatch event{&batch, int(e)};
      const auto& tracks = events[e];
      for (std::size_t t = 0; t < tracks.size(); ++t) {
        const auto particle = result.particle_of_track[number++];
        if (particle < 0) continue;
        const auto truth = true_state(event.particles()[std::size_t(particle)]);
        const auto first = event.first_hit() + std::size_t(tracks.hits_of(t).front());
        const auto state =
            state_at_vertex(setup_, batch.hits.module[first], tracks.states[t], truth);
        if (!state || !pulls_.add(truth, *state)) {
          ++lost_;
          continue;
        }
        chi2_ += tracks.chi2[t];
        degrees_of_freedom_ += tracks.measurements[t] - of_plane;
      }
    }
  }

  void write(FindResults& results) const {
    auto& json = results.json;
    json["at_vertex"] = pulls_.count();
    json["lost"] = lost_;
    if (pulls_.count() == 0) return;
    json["chi2_per_degree_of_freedom"] =
        degrees_of_freedom_ > 0 ? chi2_ / double(degrees_of_freedom_) : 0.;
    json["pulls"] = pulls_.to_json(0, VertexPulls::size - 1);
    json["resolution"] = pulls_.resolution();
    results.text += "\n" + pulls_.text();
    results.plots.push_back(pulls_.plot());
  }

 private:
  const Setup& setup_;
  VertexPulls pulls_;
  std::uint64_t lost_ = 0;  ///< tracks of particles that do not get to the vertex
  double chi2_ = 0.;
  std::int64_t degrees_of_freedom_ = 0;
};

void write_matched(const validation::MatchedEfficiency& matched, FindResults& results) {
  results.json["matched_efficiency"] = matched.value();
  results.json["matched"] = {{"particles", matched.matched.total},
                             {"matched", matched.matched.value()},
                             {"accidental", matched.accidental.value()}};
  results.text += fmt::format(
      "{} particles with at least 5 hits and 0.5 GeV: {:.2f} % matched at the beam, "
      "{:.2f} % with accidental matches ({:.2f} %)\n",
      matched.matched.total, 100. * matched.value(), 100. * matched.matched.value(),
      100. * matched.accidental.value());
}

/// What needs no truth.
FindResults counts_of(const Setup& setup, const Events& events, const std::vector<Tracks>& tracks) {
  std::size_t n_tracks = 0, n_hits = 0, all_hits = 0, particles = 0;
  std::vector<std::size_t> of_pass(setup.finder.passes.size(), 0);
  for (const auto& list : tracks) {
    n_tracks += list.size();
    n_hits += list.hits.size();
    for (const auto pass : list.pass) ++of_pass[std::size_t(pass)];
  }
  for (const auto& batch : events.batches) {
    all_hits += batch.hits.u.size();
    particles += batch.particles.size();
  }
  FindResults results{.json = {{"events", tracks.size()},
                               {"hits", all_hits},
                               {"particles", particles},
                               {"tracks", n_tracks},
                               {"tracks_of_pass", of_pass},
                               {"sigma_z_cm", setup.beam_spot.sigma_z},
                               {"hits_on_tracks", n_hits}},
                      .plots = Json::array(),
                      .text = {}};
  results.text = fmt::format(
      "{}: {} event{}, {} hits, {} tracks with {:.1f} hits each; collisions spread over {:.2g} cm "
      "along the beam\n",
      setup.name, tracks.size(), tracks.size() == 1 ? "" : "s", all_hits, n_tracks,
      n_tracks > 0 ? double(n_hits) / double(n_tracks) : 0., setup.beam_spot.sigma_z);
  return results;
}

}  // namespace

std::optional<double> sigma_z_of(const Setup& setup, const DetectorEvents& batch,
                                 std::span<const Tracks> events) {
  constexpr std::size_t enough = 50;
  const auto tracks = candidates_of(setup, batch, events);
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
  const auto tracks = candidates_of(setup, batch, events);
  BeyondCut result{.max_z0 = setup.finder.passes.front().seeds.max_z0, .tracks = tracks.size()};
  for (const double z0 : tracks.z0)
    result.beyond += std::abs(z0 - setup.collider.z) > result.max_z0 ? 1 : 0;
  return result;
}

FindResults find_results(const Setup& setup, const Events& events,
                         const std::vector<Tracks>& tracks, const ParticleCuts& cuts) {
  auto results = counts_of(setup, events, tracks);
  if (!events.has_particles()) return results;
  const bool has_truth = events.has_truth();
  TrackQuality quality(setup.name, events,
                       {.min_pt = cuts.min_pt,
                        .max_vertex_radius = cuts.max_vertex_r,
                        .beam_x = setup.collider.x,
                        .beam_y = setup.collider.y});
  VertexSums at_vertices(setup);
  validation::MatchedEfficiency matched;
  std::size_t first = 0;
  for (const auto& batch : events.batches) {
    const std::span<const Tracks> of_batch(tracks.data() + first, std::size_t(batch.events()));
    first += of_batch.size();
    const auto candidates = candidates_of(setup, batch, of_batch);
    const auto one = validation::matched_efficiency(
        batch, candidates,
        {.tesla = setup.field.tesla(), .beam_x = setup.collider.x, .beam_y = setup.collider.y});
    matched.matched += one.matched;
    matched.accidental += one.accidental;
    if (has_truth) at_vertices.add(batch, of_batch, quality.add(batch, candidates));
  }
  write_matched(matched, results);
  if (!has_truth) return results;
  quality.write(results);
  at_vertices.write(results);
  return results;
}

}  // namespace detector_tracker
