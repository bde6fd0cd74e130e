// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "track_events.hpp"

#include <trackplex/program/report.hpp>
#include <trackplex/validation/pulls.hpp>
#include <trackplex/validation/tracking_quality.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cylinder_tracker {

struct Definition {
  trackplex::validation::TrackDefinition definition;
  const char* key;
};
inline constexpr std::array<Definition, 3> definitions{
    {{trackplex::validation::TrackDefinition::d1, "D1"},
     {trackplex::validation::TrackDefinition::d2, "D2"},
     {trackplex::validation::TrackDefinition::d3, "D3"}}};

/// Parameters that a particle keeps along its helix: 1/pT and theta of the fit, on the first layer,
/// can be compared with those of the vertex, of tracks with hits of one particle only.
struct FitQuality {
  std::uint64_t tracks = 0, fitted = 0;
  double chi2 = 0.;
  std::uint64_t degrees_of_freedom = 0;
  trackplex::validation::Pulls inverse_pt, theta;

  trackplex::program::Json to_json() const;
};

/// How well a strategy did.
struct StrategyResults {
  StrategyName strategy;
  std::uint64_t tracks = 0;
  std::array<trackplex::validation::TrackingQualityResult, definitions.size()> quality;
  FitQuality fit;
  std::string hash;

  trackplex::program::Json to_json(const trackplex::validation::TrackingQualityParams& bins) const;
};

/// What the tracks of a run amount to.
struct Results {
  int events = 0;
  std::uint64_t particles = 0, hits = 0, seeds = 0, lost_seeds = 0;
  bool truth_seeds = true;
  trackplex::validation::TrackingQualityParams bins;
  trackplex::validation::TrackingQualityResult seed_quality;
  std::vector<StrategyResults> strategies;
  std::string seeds_hash;

  trackplex::program::Json to_json() const;
  std::string text() const;
};

Results results_of(const trackplex::seeding::TrackingEvents& events, const Tracking& found,
                   const TrackingSettings& settings, double min_pt);

}  // namespace cylinder_tracker
