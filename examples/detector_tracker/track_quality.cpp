// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "track_quality.hpp"

#include <common/plots.hpp>
#include <common/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

namespace detector_tracker {

namespace kalman = trackplex::kalman;
namespace program = trackplex::program;
using program::Json;
using trackplex::seeding::DetectorEvents;
using trackplex::validation::BinEdges;
using trackplex::validation::DetectorTrackingParams;
using trackplex::validation::DetectorTrackingResult;
using trackplex::validation::Efficiency;
using trackplex::validation::TrackCandidates;

namespace {

/// Bins that cover what the particles have.
DetectorTrackingParams with_bins(DetectorTrackingParams params, const Events& events) {
  if (params.pt.size() > 0) return params;
  double highest_pt = 1., highest_eta = 0.5;
  for (const auto& batch : events.batches)
    for (const auto& particle : batch.particles) {
      highest_pt = std::max(highest_pt, 1. / particle.start(kalman::Parameter::inverse_pt));
      const double theta = particle.start(kalman::Parameter::theta);
      highest_eta = std::max(highest_eta, std::abs(std::log(std::tan(0.5 * theta))));
    }
  const double pt = std::min(std::ceil(highest_pt), 10.);
  const double eta = std::min(0.1 * std::ceil(10. * highest_eta), 4.);
  params.pt = BinEdges::regular(20, 0., pt);
  params.eta = BinEdges::regular(20, -eta, eta);
  params.phi = BinEdges::regular(18, -std::numbers::pi, std::numbers::pi);
  return params;
}

void add_bins(std::vector<Efficiency>& to, const std::vector<Efficiency>& from) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[i] += from[i];
}

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

}  // namespace

TrackQuality::TrackQuality(std::string name, const Events& events,
                           const DetectorTrackingParams& params)
    : name_(std::move(name)), params_(with_bins(params, events)) {}

DetectorTrackingResult TrackQuality::add(const DetectorEvents& batch,
                                         const TrackCandidates& candidates) {
  const auto result = trackplex::validation::compare_with_truth(batch, candidates, params_);
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
  return result;
}

double TrackQuality::weight_above_pt(const DetectorEvents& batch) const {
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

void TrackQuality::write(FindResults& results) const {
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
  results.plots.push_back(plot());
}

Json TrackQuality::plot() const {
  Json panels;
  const auto add = [&](const char* x, const char* y, const BinEdges& edges,
                       const std::vector<Efficiency>& values) {
    panels.push_back(
        program::panel(x, y, {program::fractions(edges, values).series(name_, "points")}));
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

}  // namespace detector_tracker
