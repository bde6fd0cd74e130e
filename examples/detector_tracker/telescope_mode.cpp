// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "events.hpp"
#include "find.hpp"
#include "fingerprints.hpp"
#include "modes.hpp"
#include "parameter_pulls.hpp"
#include "telescope.hpp"
#include "track_quality.hpp"
#include "tracks_file.hpp"

#include <trackplex/core/derived_math.hpp>
#include <trackplex/simulation/detector_generator.hpp>
#include <trackplex/simulation/particle_gun.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

namespace detector_tracker {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
namespace simulation = trackplex::simulation;
namespace validation = trackplex::validation;
using program::Json;
using Central = kalman::Parameter;
using trackplex::seeding::DetectorEvents;
using trackplex::seeding::TrueParticle;
using ForwardTracks = trackplex::detector::TrackList<kalman::ForwardTrack>;
using ForwardParameters = kalman::Parameters<double>;

namespace {

simulation::BeamGunParams gun_of(const Settings& settings) {
  simulation::BeamGunParams gun;
  gun.particles = settings.tracks.value_or(gun.particles);
  return gun;
}

simulation::DetectorGeneratorParams generator_of(const Settings& settings) {
  return {.efficiency = 1. - settings.inefficiency.value_or(0.02),
          .noise_fraction = settings.noise.value_or(0.15)};
}

Events generate(const program::Program& p, const Settings& settings, const Telescope& telescope) {
  const auto gun = gun_of(settings);
  const auto params = generator_of(settings);
  const auto n = std::size_t(settings.generate.value_or(100));
  const auto batch = std::size_t(settings.batch.value_or(100));
  const simulation::DetectorGenerator generator(telescope.detector, telescope.magnet, params,
                                                settings.seed);
  Events events;
  events.description = {{"kind", "generated"},
                        {"seed", settings.seed},
                        {"noise", params.noise_fraction},
                        {"inefficiency", 1. - params.efficiency},
                        {"particles_per_event", gun.particles},
                        {"min_momentum_gev", gun.min_momentum},
                        {"max_momentum_gev", gun.max_momentum}};
  auto progress = p.progress("generating events", n);
  for (std::size_t i = 0; i < n; ++i, progress.advance()) {
    if (i % batch == 0) events.batches.emplace_back(telescope.detector);
    generator.add_event(i, simulation::shoot_beam(gun, i, settings.seed), events.batches.back());
  }
  return events;
}

/// x, y, z, dx/dz, dy/dz and q/p of a particle at its start.
ForwardParameters forward(const TrueParticle& particle) {
  const auto& start = particle.start;
  const double slope = trackplex::tan(start(Central::theta)), phi = start(Central::phi);
  return {{start(0), start(1), start(2), slope * trackplex::cos(phi), slope * trackplex::sin(phi),
           particle.charge * start(Central::inverse_pt) * trackplex::sin(start(Central::theta))}};
}

validation::TrackCandidates candidates_of(const DetectorEvents& batch,
                                          std::span<const ForwardTracks> events) {
  validation::TrackCandidates candidates;
  for (std::size_t event = 0; event < events.size(); ++event)
    for (std::size_t t = 0; t < events[event].size(); ++t) {
      std::vector<std::int32_t> hits;
      for (const auto hit : events[event].hits_of(t))
        hits.push_back(batch.hits.first(int(event)) + hit);
      const auto& at = events[event].states[t].parameters;
      candidates.add(hits, trackplex::atan2(at(4), at(3)),
                     trackplex::atan(trackplex::hypot(at(3), at(4))), at(2), at(5));
    }
  return candidates;
}

/// Pulls on the first plane, and the resolution of the momentum.
class PlanePulls {
 public:
  void add(const Telescope& telescope, const DetectorEvents& batch,
           std::span<const ForwardTracks> events, std::span<const std::int32_t> particle_of_track) {
    std::size_t number = 0;
    for (std::size_t e = 0; e < events.size(); ++e) {
      const EventOfBatch event{&batch, int(e)};
      for (std::size_t t = 0; t < events[e].size(); ++t) {
        const auto particle = particle_of_track[number++];
        const auto first = event.first_hit() + std::size_t(events[e].hits_of(t).front());
        const auto& module = telescope.detector.modules[std::size_t(batch.hits.module[first])];
        if (particle >= 0 && module.layer == 0)
          add(forward(event.particles()[std::size_t(particle)]), events[e].states[t]);
      }
    }
  }

  void write(FindResults& results) const {
    results.json["at_first_plane"] = pulls_.count();
    if (pulls_.count() == 0) return;
    const Quantiles momentum(momentum_);
    results.json["pulls"] = pulls_.to_json();
    results.json["resolution"] = {{"p_relative", momentum.half_width}, {"p_bias", momentum.median}};
    results.text += "\n" + pulls_.text() +
                    fmt::format("resolution: p {:.2f} % (bias {:+.2f} %)\n",
                                100. * momentum.half_width, 100. * momentum.median);
    results.plots.push_back(pulls_.plot());
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

  ParameterPulls pulls_{names, "first plane"};
  std::vector<double> momentum_;  ///< relative
};

FindResults results_of(const Telescope& telescope, const Events& events,
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
  for (std::size_t b = 0, first = 0; b < events.batches.size(); ++b) {
    const auto& batch = events.batches[b];
    const std::span of_batch(tracks.data() + first, std::size_t(batch.events()));
    first += of_batch.size();
    const auto candidates = candidates_of(batch, of_batch);
    pulls.add(telescope, batch, of_batch, quality.add(batch, candidates).particle_of_track);
    n_tracks += candidates.size();
    n_hits += batch.hits.u.size();
  }
  FindResults results{.json = {{"events", tracks.size()}, {"hits", n_hits}, {"tracks", n_tracks}},
                      .plots = Json::array(),
                      .text = fmt::format("telescope: {} events, {} hits, {} tracks\n"
                                          "efficiency for particles with at least 10 hits\n",
                                          tracks.size(), n_hits, n_tracks)};
  quality.write(results);
  pulls.write(results);
  return results;
}

}  // namespace

void run_telescope(program::Program& p, const Settings& settings) {
  Telescope telescope;
  auto& building = telescope.finder.passes.front().building;
  building.max_chi2 = settings.max_chi2.value_or(building.max_chi2);
  telescope.magnet.tesla = settings.field.value_or(telescope.magnet.tesla);
  const auto events = generate(p, settings, telescope);
  const auto list = events.list();
  check_display(settings, events);
  p.input = {{"detector", "telescope"},
             {"field_tesla", telescope.magnet.tesla},
             {"max_chi2", building.max_chi2},
             {"events", list.size()}};
  p.input.update(events.description);
  Batches batches;
  for (const auto& batch : events.batches) batches.push_back(&batch.hits);
  program::FingerprintFile fingerprints;
  p.for_each_run<float, double>([&](const auto& r, program::RunReport& report) {
    auto progress = p.progress(report.name(), std::size_t(p.options.repeat) + 1);
    const auto found =
        find_tracks(r, telescope, batches, p.options.repeat, [&] { progress.advance(); });
    report.hash = found.hash;
    report.time_us = found.time_us;
    report.rate["events_per_s"] = 1e6 / report.time("total")->median;
    if (!settings.fingerprints.empty())
      add_fingerprints<typename std::decay_t<decltype(r)>::Real>(
          fingerprints, report.run, batches, found.events, telescope.finder.passes.size());
    if (!p.is_first_run()) return;
    if (!settings.output.empty())
      write_tracks(settings.output, p, telescope.detector, events, found.events);
    auto results = results_of(telescope, events, found.events);
    p.results = std::move(results.json);
    p.plots = std::move(results.plots);
    p.text = std::move(results.text);
    if (const auto i = settings.display)
      p.plots.push_back(
          event_display(telescope.detector, list[*i], *i, hits_of_tracks(found.events[*i])));
  });
  if (!settings.fingerprints.empty())
    fingerprints.write(settings.fingerprints, p.name(), p.input, settings.batch.value_or(100));
}

}  // namespace detector_tracker
