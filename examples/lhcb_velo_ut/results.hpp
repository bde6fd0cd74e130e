// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "chain.hpp"

#include <common/program.hpp>
#include <trackplex/lhcb/ut/compass_params.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace lhcb_velo_ut {

/// What was found in all events, and what the truth says of it.
struct Results {
  std::size_t events = 0;
  std::size_t bad_events = 0;  ///< that were skipped
  std::size_t velo_hits = 0, velo_tracks = 0;
  std::size_t velo_overflow = 0;  ///< seeds that found no slot
  std::size_t ut_hits = 0, ut_tracks = 0;
  std::size_t left_out = 0;  ///< super-pixels and UT hits of channels that do not exist
  trackplex::validation::IdValidationResult velo, velo_ut;  ///< of the events that have truth

  Results() = default;
  Results(const Calls::Events& input, std::span<const VeloUtResult> found);

  bool has_truth() const { return velo.events > 0; }
  trackplex::program::Json to_json() const;

  /// Relative differences of momenta from the true ones.
  trackplex::program::Json momentum_plot() const;

  /// The tables of ghosts and categories; or that there is no truth.
  std::string text() const;
};

/// Everything that was found in an event as an object of JSON: clusters, UT hits, VELO tracks,
/// windows and tracks in the UT. Hits are named by their number in the event.
std::string details_of(const RawEvent& event, const VeloUtResult& found);

/// Hits and tracks of an event in the VELO and behind it, from the side, for scripts/plot.
trackplex::program::Json event_display(const trackplex::lhcb::Detector& detector,
                                       const std::string& name, const VeloUtResult& event);

/// One setting of Compass, and what it gives.
struct ScanPoint {
  std::string name;
  trackplex::lhcb::CompassParams cuts;
  bool has_published = false;  ///< the paper has such a point, with cuts of its own
  Results results{};
  trackplex::program::Times time_us{};  ///< of windows and tracklets
};

/// 1, 3 and 5 sector groups with 1 to 16 candidates and the other cuts of `base`; then this
/// library's own settings with both kinds of VELO states. Without results.
std::vector<ScanPoint> points_of_scan(const std::string& name,
                                      const trackplex::lhcb::CompassParams& base);

/// Adds results, a table and a plot of efficiencies and ghosts against candidates, with the
/// published numbers beside those that were found.
void report_scan(const std::vector<ScanPoint>& points, trackplex::program::Program& program);

}  // namespace lhcb_velo_ut
