// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_runs.hpp"
#include "modes.hpp"
#include "track_quality.hpp"
#include "vertex_pulls.hpp"

#include <trackplex/core/derived_math.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

namespace detector_tracker {

using program::Json;
using Central = kalman::Parameter;
using tracks::DetectorEvents;
using tracks::TrueParticle;
using ForwardParameters = kalman::Parameters<double>;

namespace {

Events generate_beam(const program::Program& p, const Settings& settings,
                     const Telescope& telescope) {
  simulation::BeamGunParams gun;
  gun.particles = settings.tracks.value_or(gun.particles);
  const simulation::DetectorGeneratorParams params{
      .efficiency = 1. - settings.inefficiency.value_or(0.02),
      .noise_fraction = settings.noise.value_or(0.15)};
  const auto n = std::size_t(settings.generate.value_or(100));
  const simulation::DetectorGenerator generator(telescope.detector, telescope.magnet, params,
                                                settings.seed);
  auto batches =
      batches_of(settings, telescope.detector, n, p.progress("generating events", n),
                 [&](std::size_t i, DetectorEvents& to) {
                   generator.add_event(i, simulation::shoot_beam(gun, i, settings.seed), to);
                 });
  return {std::move(batches),
          {{"kind", "generated"},
           {"seed", settings.seed},
           {"noise", params.noise_fraction},
           {"inefficiency", 1. - params.efficiency},
           {"particles_per_event", gun.particles},
           {"min_momentum_gev", gun.min_momentum},
           {"max_momentum_gev", gun.max_momentum}}};
}

/// x, y, z, dx/dz, dy/dz and q/p of a particle at its start.
ForwardParameters forward(const TrueParticle& particle) {
  const auto& start = particle.start;
  const double slope = trackplex::tan(start(Central::theta)), phi = start(Central::phi);
  return {{start(0), start(1), start(2), slope * trackplex::cos(phi), slope * trackplex::sin(phi),
           particle.charge * start(Central::inverse_pt) * trackplex::sin(start(Central::theta))}};
}

validation::TrackCandidates candidates_at_plane(const DetectorEvents& batch,
                                                std::span<const ForwardTracks> events) {
  return candidates_of(
      batch, events, [](const EventOfBatch&, const ForwardTracks& tracks, std::size_t t) {
        const auto& at = tracks.states[t].parameters;
        return std::array{trackplex::atan2(at(4), at(3)),
                          trackplex::atan(trackplex::hypot(at(3), at(4))), at(2), at(5)};
      });
}

/// Pulls on the first plane, and the resolution of the momentum.
class PlanePulls {
 public:
  void add(const Telescope& telescope, const DetectorEvents& batch,
           std::span<const ForwardTracks> events,
           const std::vector<std::int32_t>& particle_of_track) {
    auto next = particle_of_track.begin();
    for_each_track(batch, events, [&](const auto& event, const auto& tracks, std::size_t t) {
      const auto particle = *next++;
      const auto& module = telescope.detector.modules[std::size_t(first_module(event, tracks, t))];
      if (particle >= 0 && module.layer == 0)
        add(forward(event.particles()[std::size_t(particle)]), tracks.states[t]);
    });
  }

  void write(program::Program& p) const {
    p.results["at_first_plane"] = pulls_.count;
    if (pulls_.count == 0) return;
    const Quantiles momentum(momentum_);
    p.results["pulls"] = pulls_.to_json();
    p.results["resolution"] = {{"p_relative", momentum.half_width}, {"p_bias", momentum.median}};
    pulls_.write(p);
    p.text += fmt::format("resolution: p {:.2f} % (bias {:+.2f} %)\n", 100. * momentum.half_width,
                          100. * momentum.median);
  }

 private:
  /// There is no field between the start and the first plane.
  void add(const ForwardParameters& truth,
           const kalman::TrackState<double, kalman::ForwardTrack>& found) {
    const auto& at = found.parameters;
    const double ahead = at(2) - truth(2);
    const std::array differences{at(0) - truth(0) - ahead * truth(3),
                                 at(1) - truth(1) - ahead * truth(4), at(3) - truth(3),
                                 at(4) - truth(4), at(5) - truth(5)};
    std::array<double, names.size()> variances;
    for (std::size_t i = 0; i < variances.size(); ++i) {
      const int of = i < 2 ? int(i) : int(i) + 1;
      variances[i] = found.covariance(of, of);
    }
    if (pulls_.add(differences, variances)) momentum_.push_back(truth(5) / at(5) - 1.);
  }

  static constexpr std::array<ParameterName, 5> names{
      {{"x", "x"}, {"y", "y"}, {"x_slope", "dx/dz"}, {"y_slope", "dy/dz"}, {"q_over_p", "q/p"}}};

  TrimmedPulls pulls_{names, "first plane"};
  std::vector<double> momentum_;  ///< relative
};

void write_telescope(program::Program& p, const Telescope& telescope, const Events& events,
                     const std::vector<ForwardTracks>& tracks) {
  using validation::BinEdges;
  constexpr double pi = std::numbers::pi;
  TrackQuality quality("telescope", events,
                       {.min_particle_hits = 10,
                        .pt = BinEdges::regular(20, 0., 0.5),
                        .eta = BinEdges::regular(20, 2.5, 7.5),
                        .phi = BinEdges::regular(18, -pi, pi)});
  PlanePulls pulls;
  std::size_t n_tracks = 0, n_hits = 0;
  for_each_batch(events, tracks,
                 [&](const DetectorEvents& batch, std::span<const ForwardTracks> found) {
                   const auto candidates = candidates_at_plane(batch, found);
                   pulls.add(telescope, batch, found, quality.add(batch, candidates));
                   n_tracks += candidates.size();
                   n_hits += batch.hits.u.size();
                 });
  p.results = {{"events", tracks.size()}, {"hits", n_hits}, {"tracks", n_tracks}};
  p.text = fmt::format(
      "telescope: {} events, {} hits, {} tracks\nefficiency for particles with at least 10 hits\n",
      tracks.size(), n_hits, n_tracks);
  quality.write(p);
  pulls.write(p);
}

}  // namespace

void run_telescope(program::Program& p, Settings settings) {
  settings.default_batch = settings.pipeline.events_per_thread = 100;
  Telescope telescope;
  if (settings.pipeline.list_algorithms)
    return program::list_algorithms<float, double>(
        p, [&](const auto& run) { return finder_calls(run, telescope).listing; });
  auto& building = telescope.finder.passes.front().building;
  building.max_chi2 = settings.max_chi2.value_or(building.max_chi2);
  telescope.magnet.tesla = settings.field.value_or(telescope.magnet.tesla);
  const auto events = generate_beam(p, settings, telescope);
  p.input = {{"detector", "telescope"},
             {"field_tesla", telescope.magnet.tesla},
             {"max_chi2", building.max_chi2},
             {"events", events.list().size()}};
  p.input.update(events.description);
  find_in_runs<ForwardTracks>(
      p, settings, telescope, events, [](const auto&) {},
      [&](const auto&, const Events& found, const std::vector<ForwardTracks>& tracks) {
        write_telescope(p, telescope, found, tracks);
      });
}

}  // namespace detector_tracker
