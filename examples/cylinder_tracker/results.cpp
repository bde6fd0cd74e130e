// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results.hpp"

#include <common/fit_statuses.hpp>
#include <common/plots.hpp>
#include <common/table.hpp>
#include <trackplex/core/fingerprint.hpp>
#include <trackplex/validation/cylinder_tracking.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace cylinder_tracker {

namespace program = trackplex::program;
namespace validation = trackplex::validation;
using program::Json;
using program::PullHistogram;
using trackplex::Fingerprint;
using trackplex::cylinder::TrackList;
using trackplex::kalman::Parameter;
using trackplex::kalman::TrackState;
using validation::BinEdges;
using validation::Efficiency;
using validation::TrackDefinition;
using validation::TrackingQualityParams;
using validation::TrackingQualityResult;

namespace {

constexpr std::array definitions{TrackDefinition::d1, TrackDefinition::d2, TrackDefinition::d3};
constexpr std::array definition_keys{"D1", "D2", "D3"};

/// Bins that cover what the particles have.
TrackingQualityParams bins_for(const Found& found, double min_pt) {
  double highest_pt = 1., highest_eta = 0.5;
  for (const auto& event : found.events)
    for (const auto& particle : event->particles) {
      highest_pt = std::max(highest_pt, 1. / particle.start(Parameter::inverse_pt));
      highest_eta =
          std::max(highest_eta, std::abs(validation::eta_of(particle.start(Parameter::theta))));
    }
  const double pt = std::ceil(highest_pt), eta = 0.1 * std::ceil(10. * highest_eta);
  return {.min_pt = min_pt,
          .pt = BinEdges::regular(20, 0., pt),
          .eta = BinEdges::regular(20, -eta, eta),
          .phi = BinEdges::regular(18, -std::numbers::pi, std::numbers::pi)};
}

/// Parameters that a particle keeps along its helix: 1/pT and theta of the fit, on the first layer,
/// can be compared with those of the vertex, of tracks with hits of one particle only.
struct FitQuality {
  std::uint64_t tracks = 0, fitted = 0, degrees_of_freedom = 0;
  double chi2 = 0.;
  program::FitStatuses statuses;
  PullHistogram inverse_pt, theta;

  void add(const TrackingEvents& event, const CylinderResult& result) {
    for (std::size_t t = 0; t < result.tracks.size(); ++t) {
      const auto& fit = result.fits[t];
      ++tracks;
      statuses.add(fit.status);
      if (!is_complete(fit)) continue;
      ++fitted;
      const auto particle = validation::only_particle(event, result.tracks.hits_of(t));
      if (particle < 0) continue;
      chi2 += fit.chi2;
      degrees_of_freedom += std::uint64_t(fit.measurements - parameters_on_layer);
      const auto& truth = event.particles[std::size_t(particle)].start;
      const double sign = fit.state.parameters(Parameter::inverse_pt) < 0. ? -1. : 1.;
      add_pull(fit.state, Parameter::inverse_pt, sign * truth(Parameter::inverse_pt), inverse_pt);
      add_pull(fit.state, Parameter::theta, truth(Parameter::theta), theta);
    }
  }
  static void add_pull(const TrackState<double>& state, int parameter, double truth,
                       PullHistogram& pulls) {
    const double pull =
        (state.parameters(parameter) - truth) / std::sqrt(state.covariance(parameter, parameter));
    if (std::isfinite(pull)) pulls.add(pull);
  }

  double chi2_per_degree_of_freedom() const {
    return degrees_of_freedom == 0 ? 0. : chi2 / double(degrees_of_freedom);
  }
  Json to_json() const {
    return {{"tracks", tracks},
            {"fitted", fitted},
            {"status_of_fits", statuses.to_json()},
            {"chi2_per_degree_of_freedom", chi2_per_degree_of_freedom()},
            {"pulls",
             {{"inverse_pt", program::to_json(inverse_pt.moments)},
              {"theta", program::to_json(theta.moments)}}}};
  }
};

/// How well a strategy did.
struct StrategyResults {
  std::string name;
  std::array<TrackingQualityResult, definitions.size()> quality{};
  FitQuality fit{};
};

Json to_json(const BinEdges& bins, const std::vector<Efficiency>& values) {
  Json list = Json::array();
  for (std::size_t bin = 0; bin < values.size(); ++bin) {
    const auto& efficiency = values[bin];
    const auto interval = efficiency.interval();
    list.push_back({{"value", efficiency.value()},
                    {"low", interval.lower},
                    {"high", interval.upper},
                    {"passed", efficiency.passed},
                    {"total", efficiency.total},
                    {"from", bins.edges[bin]},
                    {"to", bins.edges[bin + 1]}});
  }
  return list;
}

Json to_json(const TrackingQualityResult& quality, const TrackingQualityParams& bins) {
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

std::string percent(const Efficiency& efficiency) {
  return efficiency.total == 0 ? "-"
                               : fmt::format("{:.2f} +- {:.2f}", 100. * efficiency.value(),
                                             100. * efficiency.error());
}

std::string tables(const std::vector<StrategyResults>& strategies) {
  program::Table table({"", "", "efficiency [%]", "fakes [%]", "duplicates [%]", "hits found [%]",
                        "hits right [%]"});
  std::string statuses;
  program::Table fits({"final fit", "tracks", "fitted", "chi2/ndf", "pulls of 1/pT", "of theta"});
  const auto pulls = [](const PullHistogram& p) {
    return fmt::format("{:+.3f}, width {:.3f}", p.moments.mean(), p.moments.sigma());
  };
  for (const auto& [name, quality, fit] : strategies) {
    for (std::size_t d = 0; d < definitions.size(); ++d) {
      const auto& q = quality[d];
      table.add_row({d == 0 ? name : "", definition_keys[d], percent(q.efficiency),
                     percent(q.fake_rate()), percent(q.duplicates), percent(q.hit_efficiency),
                     percent(q.purity)});
    }
    if (const auto text = fit.statuses.text(); !text.empty())
      statuses += fmt::format("status of the fits, {}: {}\n", name, text);
    fits.add_row({name, std::to_string(fit.tracks), std::to_string(fit.fitted),
                  fmt::format("{:.3f}", fit.chi2_per_degree_of_freedom()), pulls(fit.inverse_pt),
                  pulls(fit.theta)});
  }
  return table.text() + "\n" + fits.text() + statuses;
}

Json plot_of_quality(const std::vector<StrategyResults>& strategies,
                     const TrackingQualityParams& bins) {
  Json panels;
  const auto add = [&](const char* x, const char* y, const BinEdges& edges,
                       std::vector<Efficiency> TrackingQualityResult::*values) {
    Json series;
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      const double shift = program::shift_of_series(i, strategies.size());
      series.push_back(program::fractions(edges, strategies[i].quality[0].*values, shift)
                           .series(strategies[i].name, "points"));
    }
    panels.push_back(program::panel(x, y, series));
  };
  using Result = TrackingQualityResult;
  add("pT [GeV]", "efficiency", bins.pt, &Result::efficiency_pt);
  add("eta", "efficiency", bins.eta, &Result::efficiency_eta);
  add("phi [rad]", "efficiency", bins.phi, &Result::efficiency_phi);
  add("pT of the track [GeV]", "fake rate", bins.pt, &Result::fake_rate_pt);
  add("eta of the track", "fake rate", bins.eta, &Result::fake_rate_eta);
  add("phi of the first hit [rad]", "fake rate", bins.phi, &Result::fake_rate_phi);
  const auto particles = strategies.front().quality[0].efficiency.total;
  return program::plot("quality",
                       fmt::format("Track building: {} particles, definition {} of good tracks",
                                   particles, definition_keys[0]),
                       3, panels);
}

Json plot_of_pulls(const std::vector<StrategyResults>& strategies) {
  Json panels;
  const auto add = [&](const char* name, PullHistogram FitQuality::*pulls) {
    Json series;
    for (const auto& strategy : strategies)
      series.push_back((strategy.fit.*pulls).counts.series(strategy.name));
    series.push_back((strategies.back().fit.*pulls).expected());
    panels.push_back(program::panel(fmt::format("pull of {}", name), "tracks", series));
  };
  add("1/pT", &FitQuality::inverse_pt);
  add("theta", &FitQuality::theta);
  return program::plot("pulls", "Pulls of final fits on the first layer", 2, panels);
}

std::string hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

/// Continues the fingerprint of the events before.
Fingerprint begin_event(std::uint64_t before, std::size_t event, const TrackList& tracks) {
  return Fingerprint()
      .add(before)
      .add(std::vector(tracks.size(), std::int32_t(event)))
      .add(tracks.hits);
}

/// With the bits of the number type that it was found in.
void add_real(Fingerprint& hash, double value, bool is_float) {
  is_float ? hash.add(float(value)) : hash.add(value);
}
void add_state(Fingerprint& hash, const TrackState<double>& state, bool is_float) {
  for (const double parameter : state.parameters.elements) add_real(hash, parameter, is_float);
  for (const double element : state.covariance.elements) add_real(hash, element, is_float);
}

/// What does not depend on the strategy.
struct SeedResults {
  std::size_t events = 0, particles = 0, hits = 0, seeds = 0, lost = 0;
  TrackingQualityResult quality{};

  SeedResults(const Found& found, const TrackingQualityParams& bins) : events(found.events.size()) {
    for (std::size_t e = 0; e < events; ++e) {
      const auto& event = *found.events[e];
      particles += event.particles.size();
      hits += event.hits.x.size();
      seeds += found.results[e].seeds.size();
      lost += std::size_t(found.results[e].lost_seeds);
      quality += validation::quality_of(event, found.results[e].seeds, seed_layers, bins)
                     .result(TrackDefinition::pure);
    }
  }
};

StrategyResults results_of(const Found& found, const TrackingQualityParams& bins) {
  StrategyResults results{found.work};
  std::ranges::replace(results.name, '_', ' ');
  for (std::size_t e = 0; e < found.events.size(); ++e) {
    const auto quality =
        validation::quality_of(*found.events[e], found.results[e].tracks, seed_layers, bins);
    for (std::size_t d = 0; d < definitions.size(); ++d)
      results.quality[d] += quality.result(definitions[d]);
    results.fit.add(*found.events[e], found.results[e]);
  }
  return results;
}

}  // namespace

std::uint64_t seeds_fingerprint(std::span<const CylinderResult> events, bool is_float) {
  std::uint64_t value = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    auto hash = begin_event(value, e, events[e].seeds);
    for (const auto& state : events[e].seeds.states) add_state(hash, state, is_float);
    value = hash.value();
  }
  return value;
}

std::uint64_t tracks_fingerprint(std::span<const CylinderResult> events, bool is_float) {
  std::uint64_t value = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& [seeds, tracks, fits, lost] = events[e];
    auto hash = begin_event(value, e, tracks);
    for (const double chi2 : tracks.chi2) add_real(hash, chi2, is_float);
    for (const auto& state : tracks.states) add_state(hash, state, is_float);
    auto with_fits = begin_event(hash.value(), e, tracks);
    for (const auto& fit : fits)
      if (is_complete(fit)) add_state(with_fits, fit.state, is_float);
    value = with_fits.value();
  }
  return value;
}

Results results_of(const std::vector<Found>& found, double min_pt, bool truth_seeds,
                   bool is_float) {
  const auto bins = bins_for(found.front(), min_pt);
  const SeedResults seeds(found.front(), bins);
  Json json = {{"events", seeds.events}, {"particles", seeds.particles}, {"hits", seeds.hits}};
  const auto& quality = seeds.quality;
  json["seeds"] = {{"count", seeds.seeds},
                   {"lost", seeds.lost},
                   {"efficiency", quality.efficiency.value()},
                   {"efficiency_error", quality.efficiency.error()},
                   {"fake_rate", quality.fake_rate().value()},
                   {"over_pt", to_json(bins.pt, quality.efficiency_pt)},
                   {"hash", hex(seeds_fingerprint(found.front().results, is_float))}};
  std::vector<StrategyResults> of_strategies;
  for (const auto& one : found) {
    const auto& results = of_strategies.emplace_back(results_of(one, bins));
    auto& of = json[one.work];
    of = {{"tracks", results.fit.tracks}};
    for (std::size_t d = 0; d < definitions.size(); ++d)
      of[definition_keys[d]] = to_json(results.quality[d], bins);
    of["fit"] = results.fit.to_json();
    of["tracks_hash"] = hex(tracks_fingerprint(one.results, is_float));
  }
  const auto text = fmt::format(
      "{} events, {} particles, {} hits\n{} seeds {}: efficiency {} %, fakes {} %\n\n{}",
      seeds.events, seeds.particles, seeds.hits, seeds.seeds,
      truth_seeds ? "of the truth" : "of three hits", percent(quality.efficiency),
      percent(quality.fake_rate()), tables(of_strategies));
  return {
      seeds.lost, json, {plot_of_quality(of_strategies, bins), plot_of_pulls(of_strategies)}, text};
}

}  // namespace cylinder_tracker
