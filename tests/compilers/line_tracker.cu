// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Lines for TRACKPLEX_SPACE: segments of all kernel variants, in device code of scalars, or host
/// code of lanes. Elements that act on the whole bunch: actions.cu.

#include <trackplex/beam/line_tracker.hpp>

namespace trackplex::beam {

using Steps = decltype(detail::list_of(
    std::declval<decltype(std::tuple_cat(std::declval<detail::ShortSteps>(),
                                         std::declval<detail::LongSteps>()))>()));

template <class T>
void track_line(const BeamLine& line, int n) {
  using Space = TRACKPLEX_SPACE;
  const Space exec;
  Bunch<T, MemoryOf<Space>> bunch(exec, n, 200.);
  LineTracker<T, Space, Steps>(exec, line, {}, {0}).track(bunch, 2, [](int, int, auto&) {});
}

template void track_line<float>(const BeamLine&, int);
template void track_line<double>(const BeamLine&, int);

}  // namespace trackplex::beam
