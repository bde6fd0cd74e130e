// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Whole lines for TRACKPLEX_SPACE, space charge included: segments of all kernel variants, in device
/// code of scalars, or host code of lanes.

#include <trackplex/beam/line_tracker.hpp>

namespace trackplex::beam {

template <class T>
void track_line(const BeamLine& line, int n) {
  using Space = TRACKPLEX_SPACE;
  const Space exec;
  Bunch<T, MemoryOf<Space>> bunch(exec, n, 200.);
  LineTracker<T, Space>(exec, line, {}, {0}).track(bunch, 2, [](int, int, auto&) {});
}

template void track_line<float>(const BeamLine&, int);
template void track_line<double>(const BeamLine&, int);

}  // namespace trackplex::beam
