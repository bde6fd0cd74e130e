// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "input.hpp"
#include "reconstruct.hpp"

#include <trackplex/program/report.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>

#include <cstddef>
#include <string>

namespace lhcb_velo_ut {

/// What was found in all events, and what the truth says of it.
struct Results {
  std::size_t events = 0;
  std::size_t bad_events = 0;
  std::size_t velo_hits = 0;
  std::size_t velo_tracks = 0;
  std::size_t velo_overflow = 0;  ///< seeds that found no slot
  std::size_t ut_hits = 0;
  std::size_t ut_tracks = 0;
  std::size_t left_out = 0;  ///< super-pixels and UT hits of channels that do not exist
  std::string hash;
  trackplex::validation::IdValidationResult velo;  ///< of the events that have truth
  trackplex::validation::IdValidationResult velo_ut;

  bool has_truth() const { return velo.events > 0; }
  trackplex::program::Json to_json() const;

  /// The tables of ghosts and categories; or that there is no truth.
  std::string text() const;
};

Results results_of(const Input& input, const Reconstruction& found);

}  // namespace lhcb_velo_ut
