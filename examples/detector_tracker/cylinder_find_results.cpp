// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cylinder_find_results.hpp"

#include "event_display.hpp"
#include "fit_counts.hpp"
#include "pulls.hpp"
#include "quality.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>
#include <trackplex/validation/cylinder_tracking.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace detector_tracker {

using cylinder::TrackList;
using kalman::Parameter;
using program::Json;
using validation::TrackDefinition;
using validation::TrackingQualityParams;
using validation::TrackingQualityResult;

namespace {

constexpr std::array definitions{std::pair("D1", TrackDefinition::d1),
                                 std::pair("D2", TrackDefinition::d2),
                                 std::pair("D3", TrackDefinition::d3)};

/// Parameters that a particle keeps along its helix: 1/pT and theta of the fit, on the first layer,
/// can be compared with those of the vertex.
constexpr std::array<ParameterName, 2> kept{{{"inverse_pt", "1/pT"}, {"theta", "theta"}}};

Quality quality_of(const TrackingQualityResult& result) {
  return {result, result.fake_rate(), result.hit_efficiency};
}

/// How well a strategy did.
struct StrategyResults {
  std::string name;
  std::array<TrackingQualityResult, definitions.size()> quality{};
  FitCounts fits{};
  ParameterPulls pulls{kept};  ///< of tracks with hits of one particle only

  StrategyResults(const FoundEvents& found, const TrackingQualityParams& bins) : name(found.work) {
    std::ranges::replace(name, '_', ' ');
    for (std::size_t e = 0; e < found.events.size(); ++e) {
      const auto& [event, result] = std::tie(*found.events[e], found.results[e]);
      const auto of_event = validation::quality_of(event, result.tracks, seed_layers, bins);
      for (std::size_t d = 0; d < definitions.size(); ++d)
        quality[d] += of_event.result(definitions[d].second);
      for (std::size_t t = 0; t < result.tracks.size(); ++t)
        add(event, result.tracks.hits_of(t), result.fits[t]);
    }
  }

  void add(const TrackingEvents& event, std::span<const std::int32_t> hits,
           const cylinder::TrackFit& fit) {
    if (!fits.add(fit.status, is_complete(fit))) return;
    const auto particle = validation::only_particle(event, hits);
    if (particle < 0) return;
    fits.add_fitted(fit.chi2, fit.measurements - parameters_on_plane, 0);
    const auto& truth = event.particles[std::size_t(particle)].start;
    const auto& [at, covariance, charge] = fit.state;
    const double sign = at(Parameter::inverse_pt) < 0. ? -1. : 1.;
    const std::array p{Parameter::inverse_pt, Parameter::theta};
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double difference = at(p[i]) - (i == 0 ? sign : 1.) * truth(p[i]);
      const double pull = difference / std::sqrt(covariance(p[i], p[i]));
      if (std::isfinite(pull)) pulls.add(i, pull);
    }
  }

  Json to_json(const QualityBins& bins) const {
    Json json = {{"tracks", fits.tracks}};
    for (std::size_t d = 0; d < definitions.size(); ++d) {
      auto& of = json[definitions[d].first] =
          detector_tracker::to_json(quality_of(quality[d]), bins);
      of.update(
          {{"good", quality[d].good}, {"fake", quality[d].fake}, {"neither", quality[d].neither}});
    }
    json["fit"] = {{"tracks", fits.tracks},
                   {"fitted", fits.fitted()},
                   {"status_of_fits", fits.statuses.to_json()},
                   {"chi2_per_degree_of_freedom",
                    program::fraction(fits.chi2, double(fits.degrees_of_freedom))},
                   {"pulls", pulls.to_json()}};
    return json;
  }
};

std::string tables(const std::vector<StrategyResults>& strategies) {
  program::Table table({"", "", "efficiency [%]", "fakes [%]", "duplicates [%]", "hits found [%]",
                        "hits right [%]"});
  std::string statuses;
  program::Table fits({"final fit", "tracks", "fitted", "chi2/ndf", "pulls of 1/pT", "of theta"});
  for (const auto& strategy : strategies) {
    for (std::size_t d = 0; d < definitions.size(); ++d) {
      auto row = quality_of(strategy.quality[d]).percents();
      row.insert(row.begin(), {d == 0 ? strategy.name : "", definitions[d].first});
      table.add_row(row);
    }
    if (const auto text = strategy.fits.statuses.text(); !text.empty())
      statuses += fmt::format("status of the fits, {}: {}\n", strategy.name, text);
    const auto pulls = [&](std::size_t i) {
      const auto& p = strategy.pulls.moments(i);
      return p.count() < 2 ? "-" : fmt::format("{:+.3f}, width {:.3f}", p.mean(), p.sigma());
    };
    fits.add_row({strategy.name, std::to_string(strategy.fits.tracks),
                  std::to_string(strategy.fits.fitted()),
                  strategy.fits.degrees_of_freedom == 0
                      ? "-"
                      : fmt::format("{:.3f}", strategy.fits.chi2_per_degree_of_freedom()),
                  pulls(0), pulls(1)});
  }
  return table.text() + "\n" + fits.text() + statuses;
}

/// Continues the fingerprint of the events before.
Fingerprint begin_event(std::uint64_t before, std::size_t event, const TrackList& tracks) {
  return Fingerprint()
      .add(before)
      .add(std::vector(tracks.size(), std::int32_t(event)))
      .add(tracks.hits);
}

/// Of seeds and of tracks, in the number type that they were found in.
template <class Real>
std::array<std::uint64_t, 2> hashes_of(std::span<const CylinderResult> events) {
  std::uint64_t of_seeds = 0, of_tracks = 0;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto& [seeds, tracks, fits, lost] = events[e];
    auto hash = begin_event(of_seeds, e, seeds);
    for (const auto& state : seeds.states) add_state<Real>(hash, state);
    of_seeds = hash.value();
    hash = begin_event(of_tracks, e, tracks);
    for (const double chi2 : tracks.chi2) hash.add(Real(chi2));
    for (const auto& state : tracks.states) add_state<Real>(hash, state);
    hash = begin_event(hash.value(), e, tracks);
    for (const auto& fit : fits)
      if (is_complete(fit)) add_state<Real>(hash, fit.state);
    of_tracks = hash.value();
  }
  return {of_seeds, of_tracks};
}
std::array<std::uint64_t, 2> hashes_of(std::span<const CylinderResult> events, bool is_float) {
  return is_float ? hashes_of<float>(events) : hashes_of<double>(events);
}

}  // namespace

std::vector<std::vector<std::size_t>> hits_of_tracks(const TrackingEvents& event,
                                                     const TrackList& tracks) {
  std::vector<std::vector<std::size_t>> list(tracks.size());
  for (std::size_t t = 0; t < tracks.size(); ++t)
    for (std::size_t layer = 0; layer < tracks.hits_of(t).size(); ++layer)
      if (const auto hit = tracks.hits_of(t)[layer]; hit >= 0)
        list[t].push_back(std::size_t(event.hits.offsets[layer] + hit));
  std::ranges::sort(list, {}, [&](const auto& hits) {
    return std::atan2(event.hits.y[hits.front()], event.hits.x[hits.front()]);
  });
  return list;
}

std::vector<Vector3> points_of(const TrackingEvents& event) {
  std::vector<Vector3> points;
  for (std::size_t i = 0; i < event.hits.x.size(); ++i)
    points.push_back({{event.hits.x[i], event.hits.y[i], event.hits.z[i]}});
  return points;
}

std::string hash_of_cylinders(std::span<const CylinderResult> events, bool is_float) {
  const auto [seeds, tracks] = hashes_of(events, is_float);
  return Fingerprint().add(seeds).add(tracks).hex();
}

void write_cylinders(program::Program& p, const std::vector<FoundEvents>& found, double min_pt,
                     bool truth_seeds) {
  const auto& [work, events, results, numbers, hash] = found.front();
  ParticleRange range;
  std::size_t particles = 0, hits = 0, n_seeds = 0, lost = 0;
  for (const auto& event : events) {
    particles += event->particles.size();
    hits += event->hits.x.size();
    for (const auto& particle : event->particles) range.add(particle);
  }
  TrackingQualityParams params{.min_pt = min_pt};
  range.cover(params);
  const auto bins = bins_of(params);
  TrackingQualityResult of_seeds;
  for (std::size_t e = 0; e < events.size(); ++e) {
    n_seeds += results[e].seeds.size();
    lost += std::size_t(results[e].lost_seeds);
    of_seeds += validation::quality_of(*events[e], results[e].seeds, seed_layers, params)
                    .result(TrackDefinition::pure);
  }
  const auto quality = quality_of(of_seeds);
  const bool is_float = p.options.first_precision() == "float";
  const auto hex = [](std::uint64_t value) { return fmt::format("{:016x}", value); };
  p.results = {{"events", events.size()}, {"particles", particles}, {"hits", hits}};
  p.results["seeds"] = {{"count", n_seeds},
                        {"lost", lost},
                        {"efficiency", quality.efficiency.value()},
                        {"efficiency_error", quality.efficiency.error()},
                        {"fake_rate", quality.fake_rate.value()},
                        {"over_pt", to_json(bins[0], quality.over[0])},
                        {"hash", hex(hashes_of(results, is_float)[0])}};
  std::vector<StrategyResults> strategies;
  std::vector<std::pair<std::string, Quality>> qualities;
  std::vector<LabelledPulls> pulls;
  for (const auto& one : found) {
    const auto& strategy = strategies.emplace_back(one, params);
    qualities.emplace_back(strategy.name, quality_of(strategy.quality[0]));
    p.results[one.work] = strategy.to_json(bins);
    p.results[one.work]["tracks_hash"] = hex(hashes_of(one.results, is_float)[1]);
  }
  for (const auto& strategy : strategies) pulls.push_back({strategy.name, &strategy.pulls});
  const auto percents = quality.percents();
  p.text =
      fmt::format("{} events, {} particles, {} hits\n{} seeds {}: efficiency {} %, fakes {} %\n\n",
                  events.size(), particles, hits, n_seeds,
                  truth_seeds ? "of the truth" : "of three hits", percents[0], percents[1]) +
      tables(strategies) + p.text;
  const auto title = fmt::format("Track building: {} particles, definition {} of good tracks",
                                 qualities.front().second.efficiency.total, definitions[0].first);
  p.plots = {plot_of_quality(title, "the first hit", bins, qualities),
             pull_plot("Pulls of final fits on the first layer", 2, pulls)};
  if (lost > 0) p.warn("{} triplets exceed the capacity and are lost; raise --seed-min-pt", lost);
}

Json display_of_cylinders(const TrackingEvents& event, std::size_t number,
                          const tracks::CylinderLayers& detector, const TrackList& tracks) {
  constexpr int grey = 7;
  double half_length = detector.radius[std::size_t(detector.size - 1)];
  for (const double z : event.hits.z) half_length = std::max(half_length, std::abs(z));
  Json radii;
  program::Coordinates lines;
  for (int layer = 0; layer < detector.size; ++layer) {
    const double r = detector.radius[std::size_t(layer)];
    radii.push_back(r);
    for (const double y : {r, -r}) lines.add_segment(-half_length, y, half_length, y);
  }
  Json circles = {{"label", "layers"}, {"style", "circles"}, {"r", radii}, {"background", true}};
  Json segments = lines.series("layers", "segments");
  segments["background"] = true;
  std::vector<View> views{
      {program::panel("x [cm]", "y [cm]", Json::array({circles})),
       [](const Vector3& at, const Vector3&) {
         return std::array{at(0), at(1)};
       }},
      {program::panel("z [cm]", "r, up or down as y [cm]", Json::array({segments})),
       [](const Vector3& at, const Vector3& begin) {  // a track stays on the side where it begins
         return std::array{at(2), std::copysign(std::hypot(at(0), at(1)), begin(1))};
       }}};
  views[0].panel["equal"] = true;
  views[1].panel["equal"] = false;
  return event_display(number, points_of(event), hits_of_tracks(event, tracks), std::move(views),
                       grey);
}

}  // namespace detector_tracker
