// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/mc_event.hpp>
#include <trackplex/lhcb/raw_banks.hpp>

#include <map>
#include <optional>

namespace trackplex::io {

/// Event of an MDF file.
struct MdfEvent {
  /// VP, UT and SciFi banks, run and number. The number is that of the ODIN bank; 0 if there is
  /// none, or one of version 7 or later.
  lhcb::RawEvent raw;
  std::optional<lhcb::McEvent> truth;  ///< truth, if the file contains it
  /// Number of banks of each type that is not read. Among them may be VELO clusters that the
  /// readout made (type 73) instead of VP banks.
  std::map<int, int> other_banks{};
};

/// Use of the truth in an MDF file.
enum class MdfTruth {
  read,   ///< reads it where the file contains it
  ignore  ///< skips it, so that truth of an unknown form is no error
};

}  // namespace trackplex::io
