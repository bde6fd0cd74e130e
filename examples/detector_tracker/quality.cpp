// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quality.hpp"

#include <common/plots.hpp>
#include <trackplex/kalman/track_state.hpp>
#include <trackplex/validation/cylinder_tracking.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace detector_tracker {

using program::Json;
using validation::BinEdges;
using validation::Efficiency;

Quality& Quality::operator+=(const Quality& other) {
  for (const auto of : {&Quality::efficiency, &Quality::fake_rate, &Quality::duplicates,
                        &Quality::hit_efficiency, &Quality::purity})
    this->*of += other.*of;
  for (std::size_t i = 0; i < over.size(); ++i) {
    over[i].resize(other.over[i].size());
    for (std::size_t bin = 0; bin < over[i].size(); ++bin) over[i][bin] += other.over[i][bin];
  }
  return *this;
}

std::vector<std::string> Quality::percents(const std::string& unit) const {
  std::vector<std::string> texts;
  for (const auto& e : {efficiency, fake_rate, duplicates, hit_efficiency, purity})
    texts.push_back(
        e.total == 0 ? "-"
                     : fmt::format("{:.2f} +- {:.2f}{}", 100. * e.value(), 100. * e.error(), unit));
  return texts;
}

void ParticleRange::add(const tracks::TrueParticle& particle) {
  using P = kalman::Parameter;
  pt = std::max(pt, 1. / particle.start(P::inverse_pt));
  eta = std::max(eta, std::abs(validation::eta_of(particle.start(P::theta))));
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

Json to_json(const Quality& quality, const QualityBins& bins) {
  return {{"efficiency", quality.efficiency.value()},
          {"efficiency_error", quality.efficiency.error()},
          {"fake_rate", quality.fake_rate.value()},
          {"fake_rate_error", quality.fake_rate.error()},
          {"duplicate_rate", quality.duplicates.value()},
          {"hit_efficiency", quality.hit_efficiency.value()},
          {"purity", quality.purity.value()},
          {"over_pt", to_json(bins[0], quality.over[0])},
          {"over_eta", to_json(bins[1], quality.over[1])},
          {"over_phi", to_json(bins[2], quality.over[2])}};
}

Json plot_of_quality(const std::string& title, const std::string& phi, const QualityBins& bins,
                     const std::vector<std::pair<std::string, Quality>>& list) {
  const std::array<std::string, 6> labels{"pT [GeV]",         "eta",
                                          "phi [rad]",        "pT of the track [GeV]",
                                          "eta of the track", "phi of " + phi + " [rad]"};
  Json panels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    Json series;
    for (std::size_t n = 0; n < list.size(); ++n)
      series.push_back(program::fractions(bins[i % 3], list[n].second.over[i],
                                          program::shift_of_series(n, list.size()))
                           .series(list[n].first, "points"));
    panels.push_back(program::panel(labels[i], i < 3 ? "efficiency" : "fake rate", series));
  }
  return program::plot("quality", title, 3, panels);
}

}  // namespace detector_tracker
