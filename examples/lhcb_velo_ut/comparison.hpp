// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <common/program.hpp>
#include <common/table.hpp>
#include <trackplex/validation/velo_ut_validation.hpp>
#include <trackplex/validation/velo_validation.hpp>

#include <cstdint>
#include <string>

namespace lhcb_velo_ut {

using namespace trackplex;

/// What the truth says of tracks, in the events that have truth.
struct Truth {
  std::uint64_t events = 0, tracks = 0, ghosts = 0;
  program::Json categories = program::Json::object();

  explicit Truth(const validation::VeloValidationResult& result);
  explicit Truth(const validation::IdValidationResult& result);

  program::Json or_null(std::uint64_t number) const {
    return events > 0 ? program::Json(number) : program::Json();
  }
  program::Json ghost_rate() const { return program::fraction(double(ghosts), double(tracks)); }
  program::Json ghost_rate_error() const;
  std::string ghost_percent() const { return program::percent(double(ghosts), double(tracks)); }

  /// Tracks that all are ghosts are those of other events than the truth is of.
  void warn(const program::Program& p, const char* kind) const;
};

}  // namespace lhcb_velo_ut
