// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "track_quality.hpp"

#include <common/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace detector_tracker {

using tracks::DetectorEvents;

TrackQuality::TrackQuality(std::string name, const Events& events,
                           const validation::DetectorTrackingParams& params)
    : name_(std::move(name)), params_(params) {
  if (params.pt.size() > 0) return;
  ParticleRange range;
  for (const auto& batch : events.batches)
    for (const auto& particle : batch.particles) range.add(particle);
  range.pt = std::min(range.pt, 10.);
  range.eta = std::min(range.eta, 4.);
  range.cover(params_);
}

std::vector<std::int32_t> TrackQuality::add(const DetectorEvents& batch,
                                            const validation::TrackCandidates& candidates) {
  const auto result = validation::compare_with_truth(batch, candidates, params_);
  const double weight = std::accumulate(batch.weight.begin(), batch.weight.end(), 0.);
  const double above = weight_above_pt(batch);
  weight_ += weight;
  weight_above_ += above;
  score_ += weight * result.score;
  score_above_ += above * result.score_above_pt;
  quality_ += Quality(result, result.fake_rate, result.completeness);
  return result.particle_of_track;
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

void TrackQuality::write(program::Program& p) const {
  program::Table table({"tracks and particles", ""});
  const auto add_score = [&](const char* key, const std::string& name, double score,
                             double weight) {
    if (!(weight > 0.)) return;
    p.results[key] = score / weight;
    table.add_row({name, fmt::format("{:.4f}", score / weight)});
  };
  add_score("score", "score", score_, weight_);
  add_score("score_above_pt", fmt::format("score above {} GeV", params_.score_min_pt), score_above_,
            weight_above_);
  const auto bins = bins_of(params_);
  p.results.update(to_json(quality_, bins));
  const auto percents = quality_.percents(" %");
  const char* const names[] = {"efficiency", "fakes", "duplicates", "hits found", "hits right"};
  for (std::size_t i = 0; i < percents.size(); ++i) table.add_row({names[i], percents[i]});
  p.text += "\n" + table.text();
  p.plots.push_back(plot_of_quality(
      fmt::format("{} particles, {} tracks", quality_.efficiency.total, quality_.fake_rate.total),
      "the track", bins, {{name_, quality_}}));
}

}  // namespace detector_tracker
