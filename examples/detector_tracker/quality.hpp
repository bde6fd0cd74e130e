// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <trackplex/tracks/tracking_events.hpp>
#include <trackplex/validation/bin_edges.hpp>
#include <trackplex/validation/efficiency.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace detector_tracker {

using namespace trackplex;

/// Efficiency, fakes and hits of tracks.
struct Quality {
  using Efficiency = validation::Efficiency;

  Efficiency efficiency{}, fake_rate{}, duplicates{}, hit_efficiency{}, purity{};
  /// Efficiency over pT, eta and phi of particles, fake rate over those of tracks.
  std::array<std::vector<Efficiency>, 6> over{};

  Quality() = default;
  /// Of a comparison, with those fractions that do not have the same name in all.
  template <class Result>
  Quality(const Result& r, const Efficiency& fakes, const Efficiency& hits_found)
      : efficiency(r.efficiency),
        fake_rate(fakes),
        duplicates(r.duplicates),
        hit_efficiency(hits_found),
        purity(r.purity),
        over{r.efficiency_pt, r.efficiency_eta, r.efficiency_phi,
             r.fake_rate_pt,  r.fake_rate_eta,  r.fake_rate_phi} {}
  Quality& operator+=(const Quality& other);

  /// The five fractions with their errors, in percent; "-" where there is none.
  std::vector<std::string> percents(const std::string& unit = {}) const;
};

/// Bins of pT (GeV), eta and phi (rad).
using QualityBins = std::array<validation::BinEdges, 3>;
/// Those of the parameters of a comparison.
template <class Params>
QualityBins bins_of(const Params& params) {
  return {params.pt, params.eta, params.phi};
}

/// Range of particles: highest pT (GeV) and absolute eta.
struct ParticleRange {
  double pt = 1., eta = 0.5;

  void add(const tracks::TrueParticle& particle);
  /// Sets bins that cover it.
  template <class Params>
  void cover(Params& params) const {
    using validation::BinEdges;
    const double max_eta = 0.1 * std::ceil(10. * eta);
    params.pt = BinEdges::regular(20, 0., std::ceil(pt));
    params.eta = BinEdges::regular(20, -max_eta, max_eta);
    params.phi = BinEdges::regular(18, -std::numbers::pi, std::numbers::pi);
  }
};

/// Fractions in bins.
program::Json to_json(const validation::BinEdges& bins,
                      const std::vector<Quality::Efficiency>& values);
program::Json to_json(const Quality& quality, const QualityBins& bins);

/// Efficiencies and fake rates in bins; `phi` is the azimuth of a track.
program::Json plot_of_quality(const std::string& title, const std::string& phi,
                              const QualityBins& bins,
                              const std::vector<std::pair<std::string, Quality>>& list);

}  // namespace detector_tracker
