// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "chain.hpp"

#include <common/report.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <cstddef>
#include <span>
#include <string>

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

}  // namespace lhcb_velo_ut
