// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/compass_input.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

namespace trackplex::lhcb {

/// Makes the setup of Compass for a detector. Waits for the instance.
/// @throws UsageError if a parameter or a table of the detector is out of range
template <class T, class ExecutionSpace>
CompassSetup<T, typename ExecutionSpace::memory_space> compass_setup(const ExecutionSpace& exec,
                                                                     const Detector& detector,
                                                                     const CompassParams& params) {
  check(params);
  return {ut_search_tables<T>(exec, detector.ut), ut_magnet<T>(exec, detector.magnet),
          T(detector.polarity), params};
}

}  // namespace trackplex::lhcb
