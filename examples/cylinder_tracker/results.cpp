// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <trackplex/program/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cylinder_tracker {

namespace program = trackplex::program;
namespace validation = trackplex::validation;
using trackplex::kalman::Parameter;
using trackplex::seeding::TrackingEvents;
using validation::Efficiency;
using validation::TrackDefinition;

namespace {

double pt_of(const trackplex::seeding::TrueParticle& particle) {
  return 1. / particle.start(Parameter::inverse_pt);
}

/// Bins that cover what the particles have.
validation::TrackingQualityParams bins_for(const TrackingEvents& events, double min_pt) {
  double highest_pt = 1., highest_eta = 0.5;
  for (const auto& particle : events.particles) {
    highest_pt = std::max(highest_pt, pt_of(particle));
    const double eta = -std::log(std::tan(0.5 * particle.start(Parameter::theta)));
    highest_eta = std::max(highest_eta, std::abs(eta));
  }
  const double pt = std::ceil(highest_pt), eta = 0.1 * std::ceil(10. * highest_eta);
  return {.min_pt = min_pt,
          .pt = validation::BinEdges::regular(20, 0., pt),
          .eta = validation::BinEdges::regular(20, -eta, eta),
          .phi = validation::BinEdges::regular(18, -std::numbers::pi, std::numbers::pi)};
}

/// The particle that left all hits of a track, or -1.
std::int32_t only_particle(const TrackingEvents& events, const TrackList& tracks,
                           std::size_t track) {
  const auto entry = std::size_t(tracks.event[track] * events.hits.layers());
  const auto hits = tracks.hits_of(track);
  std::int32_t particle = -1;
  for (std::size_t layer = 0; layer < hits.size(); ++layer) {
    if (hits[layer] < 0) continue;
    const auto owner = events.particle_of_hit[std::size_t(events.hits.offsets[entry + layer]) +
                                              std::size_t(hits[layer])];
    if (owner < 0 || (particle >= 0 && owner != particle)) return -1;
    particle = owner;
  }
  return particle;
}

void add_pull(const FinalFit& fit, int parameter, double truth, validation::Pulls& pulls) {
  const double variance = fit.first.covariance(parameter, parameter);
  const double pull = (fit.first.parameters(parameter) - truth) / std::sqrt(variance);
  if (std::isfinite(pull)) pulls.add(pull);
}

FitQuality fit_quality(const TrackingEvents& events, const TrackList& tracks) {
  FitQuality quality;
  for (std::size_t track = 0; track < tracks.size(); ++track) {
    const FinalFit& fit = tracks.fits[track];
    ++quality.tracks;
    if (!fit.complete) continue;
    ++quality.fitted;
    const auto particle = only_particle(events, tracks, track);
    if (particle < 0) continue;
    quality.chi2 += fit.chi2;
    quality.degrees_of_freedom += std::uint64_t(fit.degrees_of_freedom);
    const auto first = events.particle_offsets[std::size_t(tracks.event[track])];
    const auto& truth = events.particles[std::size_t(first + particle)];
    const double sign = fit.first.parameters(Parameter::inverse_pt) < 0. ? -1. : 1.;
    add_pull(fit, Parameter::inverse_pt, sign * truth.start(Parameter::inverse_pt),
             quality.inverse_pt);
    add_pull(fit, Parameter::theta, truth.start(Parameter::theta), quality.theta);
  }
  return quality;
}

/// The particle of a seed: the truth's, or that of two of its hits at least; -1 if there is none.
std::int32_t seed_particle(const TrackingEvents& events, const TrackList& tracks,
                           std::size_t track) {
  if (tracks.particle[track] >= 0) return tracks.particle[track];
  const auto entry = std::size_t(tracks.event[track] * events.hits.layers());
  std::array<std::int32_t, seed_layers> owners{};
  for (std::size_t layer = 0; layer < owners.size(); ++layer)
    owners[layer] = events.particle_of_hit[std::size_t(events.hits.offsets[entry + layer]) +
                                           std::size_t(tracks.hits_of(track)[layer])];
  if (owners[0] == owners[1] || owners[0] == owners[2]) return owners[0];
  return owners[1] == owners[2] ? owners[1] : -1;
}

validation::TrackingQuality quality_of(const TrackingEvents& events, const TrackList& tracks,
                                       const validation::TrackingQualityParams& bins) {
  validation::TrackingQuality quality(events, seed_layers, bins);
  for (std::size_t track = 0; track < tracks.size(); ++track)
    quality.add({.event = tracks.event[track],
                 .hits = tracks.hits_of(track),
                 .seed_particle = seed_particle(events, tracks, track)});
  return quality;
}

program::Json to_json(const Efficiency& efficiency) {
  const auto interval = efficiency.interval();
  return {{"value", efficiency.value()},
          {"low", interval.lower},
          {"high", interval.upper},
          {"passed", efficiency.passed},
          {"total", efficiency.total}};
}

program::Json to_json(const validation::BinEdges& bins, const std::vector<Efficiency>& values) {
  program::Json list = program::Json::array();
  for (std::size_t bin = 0; bin < bins.size(); ++bin) {
    auto entry = to_json(values[bin]);
    entry["from"] = bins.edges[bin];
    entry["to"] = bins.edges[bin + 1];
    list.push_back(std::move(entry));
  }
  return list;
}

program::Json to_json(const validation::TrackingQualityResult& quality,
                      const validation::TrackingQualityParams& bins) {
  return {{"efficiency", quality.efficiency.value()},
          {"efficiency_error", quality.efficiency.error()},
          {"fake_rate", quality.fake_rate().value()},
          {"fake_rate_error", quality.fake_rate().error()},
          {"duplicate_rate", quality.duplicates.value()},
          {"hit_efficiency", quality.hit_efficiency.value()},
          {"purity", quality.purity.value()},
          {"good", quality.good},
          {"fake", quality.fake},
          {"neither", quality.neither},
          {"over_pt", to_json(bins.pt, quality.efficiency_pt)},
          {"over_eta", to_json(bins.eta, quality.efficiency_eta)},
          {"over_phi", to_json(bins.phi, quality.efficiency_phi)}};
}

program::Json to_json(const validation::Pulls& pulls) {
  return {{"mean", pulls.mean()},
          {"mean_error", pulls.mean_error()},
          {"width", pulls.sigma()},
          {"width_error", pulls.sigma_error()}};
}

std::string percent(const Efficiency& efficiency) {
  return efficiency.total == 0 ? "-"
                               : fmt::format("{:.2f} +- {:.2f}", 100. * efficiency.value(),
                                             100. * efficiency.error());
}

}  // namespace

program::Json FitQuality::to_json() const {
  return {{"tracks", tracks},
          {"fitted", fitted},
          {"chi2_per_degree_of_freedom",
           degrees_of_freedom == 0 ? 0. : chi2 / double(degrees_of_freedom)},
          {"pulls",
           {{"inverse_pt", cylinder_tracker::to_json(inverse_pt)},
            {"theta", cylinder_tracker::to_json(theta)}}}};
}

program::Json StrategyResults::to_json(const validation::TrackingQualityParams& bins) const {
  program::Json json = {{"tracks", tracks}};
  for (std::size_t d = 0; d < definitions.size(); ++d)
    json[definitions[d].key] = cylinder_tracker::to_json(quality[d], bins);
  json["fit"] = fit.to_json();
  json["tracks_hash"] = hash;
  return json;
}

program::Json Results::to_json() const {
  program::Json json = {{"events", events}, {"particles", particles}, {"hits", hits}};
  json["seeds"] = {{"count", seeds},
                   {"lost", lost_seeds},
                   {"efficiency", seed_quality.efficiency.value()},
                   {"efficiency_error", seed_quality.efficiency.error()},
                   {"fake_rate", seed_quality.fake_rate().value()},
                   {"over_pt", cylinder_tracker::to_json(bins.pt, seed_quality.efficiency_pt)},
                   {"hash", seeds_hash}};
  for (const auto& strategy : strategies) json[strategy.strategy.key] = strategy.to_json(bins);
  return json;
}

std::string Results::text() const {
  std::string text =
      fmt::format("{} seeds {}: efficiency {} %, fakes {} %\n\n", seeds,
                  truth_seeds ? "of the truth" : "of three hits", percent(seed_quality.efficiency),
                  percent(seed_quality.fake_rate()));
  program::Table table({"", "", "efficiency [%]", "fakes [%]", "duplicates [%]", "hits found [%]",
                        "hits right [%]"});
  for (const auto& strategy : strategies)
    for (std::size_t d = 0; d < definitions.size(); ++d) {
      const auto& q = strategy.quality[d];
      table.add_row({d == 0 ? strategy.strategy.name : "", definitions[d].key,
                     percent(q.efficiency), percent(q.fake_rate()), percent(q.duplicates),
                     percent(q.hit_efficiency), percent(q.purity)});
    }
  text += table.text() + "\n";
  program::Table fits({"final fit", "tracks", "fitted", "chi2/ndf", "pulls of 1/pT", "of theta"});
  const auto pulls = [](const validation::Pulls& p) {
    return fmt::format("{:+.3f}, width {:.3f}", p.mean(), p.sigma());
  };
  for (const auto& strategy : strategies) {
    const auto& fit = strategy.fit;
    const double ndf = double(std::max<std::uint64_t>(1, fit.degrees_of_freedom));
    fits.add_row({strategy.strategy.name, std::to_string(fit.tracks), std::to_string(fit.fitted),
                  fmt::format("{:.3f}", fit.chi2 / ndf), pulls(fit.inverse_pt), pulls(fit.theta)});
  }
  return text + fits.text();
}

Results results_of(const TrackingEvents& events, const Tracking& found,
                   const TrackingSettings& settings, double min_pt) {
  Results results;
  results.events = events.events();
  results.particles = events.particles.size();
  results.hits = events.hits.x.size();
  results.seeds = found.seeds.size();
  results.lost_seeds = found.lost_seeds;
  results.truth_seeds = !settings.use_triplets;
  results.bins = bins_for(events, min_pt);
  results.seed_quality =
      quality_of(events, found.seeds, results.bins).result(TrackDefinition::pure);
  results.seeds_hash = fmt::format("{:016x}", found.seeds.fingerprint);
  for (const auto& entry : strategy_names) {
    const auto tracks = found.tracks.find(entry.key);
    if (tracks == found.tracks.end()) continue;
    const auto quality = quality_of(events, tracks->second, results.bins);
    StrategyResults strategy{.strategy = entry,
                             .tracks = tracks->second.size(),
                             .quality = {},
                             .fit = fit_quality(events, tracks->second),
                             .hash = fmt::format("{:016x}", tracks->second.fingerprint)};
    for (std::size_t d = 0; d < definitions.size(); ++d)
      strategy.quality[d] = quality.result(definitions[d].definition);
    results.strategies.push_back(std::move(strategy));
  }
  return results;
}

}  // namespace cylinder_tracker
