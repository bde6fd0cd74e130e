// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/report.hpp>
#include <trackplex/lhcb/velo/velo_event.hpp>
#include <trackplex/lhcb/velo/velo_results.hpp>
#include <trackplex/validation/velo_validation.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace lhcb_velo {

/// What the tracks of all events amount to.
struct Results {
  std::size_t events = 0, hits = 0, tracks = 0;
  std::size_t overflow = 0;                           ///< seeds that found no slot
  std::size_t overflowing_events = 0;                 ///< events with such seeds
  trackplex::validation::VeloValidationResult truth;  ///< of the events that have truth

  Results(const std::vector<std::shared_ptr<const trackplex::lhcb::VeloEvent>>& events,
          std::span<const trackplex::lhcb::VeloResult> found);

  trackplex::program::Json to_json() const;

  /// The tables of ghosts and categories; or that there is no truth.
  std::string text() const;
};

/// Hits and tracks of an event, from the side and along the beam, for scripts/plot.
trackplex::program::Json event_display(const trackplex::lhcb::VeloEvent& event,
                                       const trackplex::lhcb::VeloTrackList& tracks);

}  // namespace lhcb_velo
