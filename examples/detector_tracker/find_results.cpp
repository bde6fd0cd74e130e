// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "find_results.hpp"

#include "vertex_pulls.hpp"
#include "vertex_state.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>
#include <trackplex/validation/detector_tracking.hpp>
#include <trackplex/validation/matched_efficiency.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <span>

namespace detector_tracker {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
namespace validation = trackplex::validation;
using program::Json;
using trackplex::seeding::DetectorEvents;
using trackplex::seeding::TrueParticle;
using validation::BinEdges;
using validation::DetectorTrackingParams;
using validation::DetectorTrackingResult;
using validation::Efficiency;
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
      const auto beam = validation::beam_parameters(particle, setup.field.tesla());
      candidates.add(hits, beam.phi, beam.theta, beam.z0, beam.q_over_p);
    }
  return candidates;
}

/// Bins that cover what the particles have.
DetectorTrackingParams params_for(const Events& events, const ParticleCuts& cuts) {
  double highest_pt = 1., highest_eta = 0.5;
  for (const auto& batch : events.batches)
    for (const auto& particle : batch.particles) {
      highest_pt = std::max(highest_pt, 1. / particle.start(kalman::Parameter::inverse_pt));
      const double theta = particle.start(kalman::Parameter::theta);
      highest_eta = std::max(highest_eta, std::abs(std::log(std::tan(0.5 * theta))));
    }
  const double pt = std::min(std::ceil(highest_pt), 10.);
  const double eta = std::min(0.1 * std::ceil(10. * highest_eta), 4.);
  return {.min_pt = cuts.min_pt,
          .max_vertex_radius = cuts.max_vertex_r,
          .pt = BinEdges::regular(20, 0., pt),
          .eta = BinEdges::regular(20, -eta, eta),
          .phi = BinEdges::regular(18, -std::numbers::pi, std::numbers::pi)};
}

void add_bins(std::vector<Efficiency>& to, const std::vector<Efficiency>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

/// Sums over batches; scores are weighted by the weights of the batches' hits.
class TruthSums {
 public:
  TruthSums(const Setup& setup, const Events& events, const ParticleCuts& cuts)
      : setup_(setup), params_(params_for(events, cuts)) {}

  void add(const DetectorEvents& batch, std::span<const Tracks> events,
           const TrackCandidates& candidates) {
    const auto result = validation::compare_with_truth(batch, candidates, params_);
    const double weight = std::accumulate(batch.weight.begin(), batch.weight.end(), 0.);
    const double above = weight_above_pt(batch);
    weight_ += weight;
    weight_above_ += above;
    score_ += weight * result.score;
    score_above_ += above * result.score_above_pt;
    sums_.efficiency += result.efficiency;
    sums_.duplicates += result.duplicates;
    sums_.fake_rate += result.fake_rate;
    sums_.completeness += result.completeness;
    sums_.purity += result.purity;
    sums_.shared_hits += result.shared_hits;
    for (const auto bins :
         {&DetectorTrackingResult::efficiency_pt, &DetectorTrackingResult::efficiency_eta,
          &DetectorTrackingResult::efficiency_phi, &DetectorTrackingResult::fake_rate_pt,
          &DetectorTrackingResult::fake_rate_eta, &DetectorTrackingResult::fake_rate_phi})
      add_bins(sums_.*bins, result.*bins);
    add_pulls(batch, events, result);
  }

  void write(FindResults& results) const;

 private:
  double weight_above_pt(const DetectorEvents& batch) const {
    double sum = 0.;
    for (int event = 0; event < batch.events() && !batch.weight.empty(); ++event) {
      const auto particles = EventOfBatch{&batch, event}.particles();
      for (auto hit = batch.hits.first(event); hit < batch.hits.first(event + 1); ++hit)
        if (const auto p = batch.particle_of_hit[std::size_t(hit)];
            p >= 0 &&
            particles[std::size_t(p)].start(kalman::Parameter::inverse_pt) * params_.score_min_pt <
                1.)
          sum += batch.weight[std::size_t(hit)];
    }
    return sum;
  }

  void add_pulls(const DetectorEvents& batch, std::span<const Tracks> events,
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

  Json quality_plot() const;

  const Setup& setup_;
  DetectorTrackingParams params_;
  DetectorTrackingResult sums_;
  double score_ = 0., score_above_ = 0., weight_ = 0., weight_above_ = 0.;
  VertexPulls pulls_;
  std::uint64_t lost_ = 0;  ///< tracks of particles that do not get to the vertex
  double chi2_ = 0.;
  std::int64_t degrees_of_freedom_ = 0;
};

Json to_json(const BinEdges& bins, const std::vector<Efficiency>& values) {
  Json list = Json::array();
  for (std::size_t bin = 0; bin < values.size(); ++bin) {
    const auto interval = values[bin].interval();
    list.push_back({{"value", values[bin].value()},
                    {"low", interval.lower},
                    {"high", interval.upper},
                    {"passed", values[bin].passed},
                    {"total", values[bin].total},
                    {"from", bins.edges[bin]},
                    {"to", bins.edges[bin + 1]}});
  }
  return list;
}

std::string percent(const Efficiency& efficiency) {
  return efficiency.total == 0 ? "-"
                               : fmt::format("{:.2f} +- {:.2f} %", 100. * efficiency.value(),
                                             100. * efficiency.error());
}

void TruthSums::write(FindResults& results) const {
  auto& json = results.json;
  if (weight_ > 0.) {
    json["score"] = score_ / weight_;
    if (weight_above_ > 0.) json["score_above_pt"] = score_above_ / weight_above_;
  }
  json["efficiency"] = sums_.efficiency.value();
  json["efficiency_error"] = sums_.efficiency.error();
  json["fake_rate"] = sums_.fake_rate.value();
  json["fake_rate_error"] = sums_.fake_rate.error();
  json["duplicate_rate"] = sums_.duplicates.value();
  json["hit_efficiency"] = sums_.completeness.value();
  json["purity"] = sums_.purity.value();
  json["over_pt"] = to_json(params_.pt, sums_.efficiency_pt);
  json["over_eta"] = to_json(params_.eta, sums_.efficiency_eta);
  json["over_phi"] = to_json(params_.phi, sums_.efficiency_phi);
  json["at_vertex"] = pulls_.count();
  json["lost"] = lost_;

  program::Table table({"tracks and particles", ""});
  if (weight_ > 0.) {
    table.add_row({"score", fmt::format("{:.4f}", score_ / weight_)});
    if (weight_above_ > 0.)
      table.add_row({fmt::format("score above {} GeV", params_.score_min_pt),
                     fmt::format("{:.4f}", score_above_ / weight_above_)});
  }
  table.add_row({"efficiency", percent(sums_.efficiency)});
  table.add_row({"fakes", percent(sums_.fake_rate)});
  table.add_row({"duplicates", percent(sums_.duplicates)});
  table.add_row({"hits found", percent(sums_.completeness)});
  table.add_row({"hits right", percent(sums_.purity)});
  results.text += "\n" + table.text();
  results.plots.push_back(quality_plot());
  if (pulls_.count() == 0) return;
  json["chi2_per_degree_of_freedom"] =
      degrees_of_freedom_ > 0 ? chi2_ / double(degrees_of_freedom_) : 0.;
  json["pulls"] = pulls_.to_json(0, VertexPulls::size - 1);
  json["resolution"] = pulls_.resolution();
  results.text += "\n" + pulls_.text();
  results.plots.push_back(pulls_.plot());
}

Json TruthSums::quality_plot() const {
  Json panels;
  const auto add = [&](const char* x, const char* y, const BinEdges& edges,
                       const std::vector<Efficiency>& values) {
    panels.push_back(
        program::panel(x, y, {program::fractions(edges, values).series(setup_.name, "points")}));
  };
  add("pT [GeV]", "efficiency", params_.pt, sums_.efficiency_pt);
  add("eta", "efficiency", params_.eta, sums_.efficiency_eta);
  add("phi [rad]", "efficiency", params_.phi, sums_.efficiency_phi);
  add("pT of the track [GeV]", "fake rate", params_.pt, sums_.fake_rate_pt);
  add("eta of the track", "fake rate", params_.eta, sums_.fake_rate_eta);
  add("phi of the track [rad]", "fake rate", params_.phi, sums_.fake_rate_phi);
  return program::plot(
      "quality",
      fmt::format("{} particles, {} tracks", sums_.efficiency.total, sums_.fake_rate.total), 3,
      panels);
}

void write_matched(const validation::MatchedEfficiency& matched, FindResults& results) {
  results.json["matched_efficiency"] = matched.value();
  results.json["matched"] = {{"particles", matched.matched.total},
                             {"matched", matched.matched.value()},
                             {"accidental", matched.accidental.value()}};
  results.text += fmt::format(
      "{} particles of at least 5 hits and 0.5 GeV: {:.2f} % matched at the beam, "
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
                               {"hits_on_tracks", n_hits}},
                      .plots = Json::array(),
                      .text = {}};
  results.text = fmt::format("{}: {} event{}, {} hits, {} tracks with {:.1f} hits each\n",
                             setup.name, tracks.size(), tracks.size() == 1 ? "" : "s", all_hits,
                             n_tracks, n_tracks > 0 ? double(n_hits) / double(n_tracks) : 0.);
  return results;
}

}  // namespace

FindResults find_results(const Setup& setup, const Events& events,
                         const std::vector<Tracks>& tracks, const ParticleCuts& cuts) {
  auto results = counts_of(setup, events, tracks);
  if (!events.has_particles()) return results;
  const bool has_truth = events.has_truth();
  TruthSums sums(setup, events, cuts);
  validation::MatchedEfficiency matched;
  std::size_t first = 0;
  for (const auto& batch : events.batches) {
    const std::span<const Tracks> of_batch(tracks.data() + first, std::size_t(batch.events()));
    first += of_batch.size();
    const auto candidates = candidates_of(setup, batch, of_batch);
    const auto one =
        validation::matched_efficiency(batch, candidates, {.tesla = setup.field.tesla()});
    matched.matched += one.matched;
    matched.accidental += one.accidental;
    if (has_truth) sums.add(batch, of_batch, candidates);
  }
  write_matched(matched, results);
  if (has_truth) sums.write(results);
  return results;
}

}  // namespace detector_tracker
