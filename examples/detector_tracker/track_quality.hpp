// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "events.hpp"
#include "quality.hpp"

#include <common/program.hpp>
#include <trackplex/validation/detector_tracking.hpp>

#include <string>

namespace detector_tracker {

/// Score, efficiency and fakes of tracks in batches of events whose truth is known. Scores are
/// weighted by the weights of the batches' hits.
class TrackQuality {
 public:
  /// @param name of the detector
  /// @param params with bins that cover the particles of `events`, if it has none
  TrackQuality(std::string name, const Events& events,
               const validation::DetectorTrackingParams& params);

  /// Adds the tracks of a batch, and returns the particle of each, or -1.
  std::vector<std::int32_t> add(const tracks::DetectorEvents& batch,
                                const validation::TrackCandidates& candidates);

  /// Adds numbers, a table and a plot.
  void write(program::Program& p) const;

 private:
  double weight_above_pt(const tracks::DetectorEvents& batch) const;

  std::string name_;
  validation::DetectorTrackingParams params_;
  Quality quality_;
  double score_ = 0., score_above_ = 0., weight_ = 0., weight_above_ = 0.;
};

}  // namespace detector_tracker
