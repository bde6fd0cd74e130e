// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Beam line as kernels use it: steps, and segments of elements that run in one kernel.

#include <trackplex/beam/elements/element.hpp>

namespace trackplex::beam {

/// Limits of the coordinates, checked at the end of a turn; particles outside are lost.
struct CoordinateLimits {
  double position = 10.;  ///< Max |x| and |y|, m; 0: no limit.
  double slope = 1.;      ///< Max |xp| and |yp|; 0: no limit.
};

/// Returns the steps of a line. `stops_behind(i)` is true if a segment must end after element i.
/// @throws UsageError if an element cannot be tracked, or as `check_element`
template <class StopsBehind>
TrackingSteps tracking_steps(const BeamLine& line, const CoordinateLimits& limits,
                             const StopsBehind& stops_behind) {
  TrackingSteps out;
  const int n = int(line.size());
  const auto end_with_slopes = [&](Segment& last) {
    StepBuilder(out, last.end_element - 1).use_slopes();
    last.end_step = int(out.steps.size());
  };
  const auto begin_segment = [&](int element, bool after_stop = false) {
    bool resumes = false;
    if (!out.segments.empty()) {
      Segment& last = out.segments.back();
      resumes = last.keeps_cosines = last.in_cosines && after_stop;
      if (!resumes) end_with_slopes(last);
    }
    Segment& next = out.segments.emplace_back();
    next.in_cosines = next.resumes_cosines = next.has_long_steps = resumes;
    next.first_element = next.end_element = element;
    next.first_step = next.end_step = int(out.steps.size());
  };
  /// Steps after an element, in a new segment if the element is collective.
  const auto add_behind = [&](int element, const auto& add) {
    if (out.segments.back().is_collective) begin_segment(element + 1);
    StepBuilder builder(out, element);
    add(builder);
    out.segments.back().end_step = int(out.steps.size());
  };
  bool begins = true;
  for (int i = 0; i < n; ++i) {
    check_element(line[i]);
    if (begins || is_collective(line[i])) begin_segment(i, !is_collective(line[i]));
    out.segments.back().is_collective = is_collective(line[i]);
    StepBuilder builder(out, i);
    try {
      line[i].kind.add_steps(builder);
    } catch (const UsageError& error) {
      throw UsageError("element " + line[i].name, error.what());
    }
    out.segments.back().end_element = i + 1;
    out.segments.back().end_step = int(out.steps.size());
    if (out.aperture) add_behind(i, [](StepBuilder& to) { to.add_limits(); });
    begins = out.segments.back().is_collective || stops_behind(i);
  }
  if (n > 0 && (limits.position > 0. || limits.slope > 0.))
    add_behind(n - 1, [&](StepBuilder& to) {
      to.add(steps::Limits{limits.position, limits.slope});
    });
  if (n > 0) end_with_slopes(out.segments.back());
  return out;
}

}  // namespace trackplex::beam
