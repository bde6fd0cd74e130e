// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Beam line in the form of its kernels: steps, and segments of elements that run in one kernel.

#include <trackplex/beam/element.hpp>

namespace trackplex::beam {

/// Limits of the coordinates, checked at the end of a turn; particles outside are lost.
struct CoordinateLimits {
  double position = 10.;  ///< Max |x| and |y|, m; 0: no limit.
  double slope = 1.;      ///< Max |xp| and |yp|; 0: no limit.
};

/// Returns the steps of a line. `stops_behind(i)` tells whether a segment has to end behind element
/// i.
/// @throws UsageError if an element cannot be tracked, or as `check_element`
template <class StopsBehind>
TrackingSteps tracking_steps(const BeamLine& line, const CoordinateLimits& limits,
                             const StopsBehind& stops_behind) {
  TrackingSteps out;
  const int n = int(line.size());
  bool begins = true;
  for (int i = 0; i < n; ++i) {
    const bool collective = is_collective(line[i]);
    if (begins || collective) {
      Segment& next = out.segments.emplace_back();
      next.first_element = i;
      next.first_step = int(out.steps.size());
      next.is_collective = collective;
    }
    StepBuilder builder(out, i);
    check_element(line[i]);
    try {
      line[i].kind.add_steps(builder);
    } catch (const UsageError& error) {
      throw UsageError("element " + line[i].name, error.what());
    }
    out.segments.back().end_element = i + 1;
    out.segments.back().end_step = int(out.steps.size());
    begins = collective || stops_behind(i);
  }
  if (n > 0 && (limits.position > 0. || limits.slope > 0.)) {
    if (out.segments.back().is_collective) {  // one without elements behind it
      Segment& next = out.segments.emplace_back();
      next.first_element = next.end_element = n;
      next.first_step = int(out.steps.size());
    }
    StepBuilder(out, n - 1).add(steps::Limits{limits.position, limits.slope});
    out.segments.back().end_step = int(out.steps.size());
  }
  return out;
}

}  // namespace trackplex::beam
