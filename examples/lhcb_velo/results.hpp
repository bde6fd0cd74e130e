// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reconstruct.hpp"

#include <trackplex/program/report.hpp>
#include <trackplex/validation/velo_validation.hpp>

#include <cstddef>
#include <span>
#include <string>

namespace lhcb_velo {

/// What the tracks of all events amount to.
struct Results {
  std::size_t events = 0;
  std::size_t hits = 0;
  std::size_t tracks = 0;
  std::size_t overflow = 0;                           ///< seeds that found no slot
  std::size_t overflowing_events = 0;                 ///< events with such seeds
  std::string hash;                                   ///< of all tracks and states
  trackplex::validation::VeloValidationResult truth;  ///< of the events that have truth

  trackplex::program::Json to_json() const;

  /// The tables of ghosts and categories; or that there is no truth.
  std::string text() const;
};

/// `events` are those of `found`.
Results results_of(std::span<const trackplex::lhcb::VeloEvent* const> events,
                   const Reconstruction& found);

}  // namespace lhcb_velo
