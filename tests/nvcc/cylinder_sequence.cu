// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The sequence for detectors of cylinders with all its algorithms, for TRACKPLEX_SPACE: device code
/// of scalars, or host code of lanes.

#include <trackplex/pipeline/cylinder.hpp>

namespace trackplex {
namespace {

template <class Real>
void use(const TRACKPLEX_SPACE& exec) {
  using Tracking = pipeline::CylinderSequence<Real, TRACKPLEX_SPACE>;
  Tracking tracking(exec, 1 << 20, {});
  tracking.select(pipeline::CylinderChoice{.triplets = true, .smooth = true}.steps());
  const std::vector<typename Tracking::Event> events;
  tracking.stage(events);
  tracking.run();
  std::vector<pipeline::CylinderResult> results;
  tracking.collect(results);
}

[[maybe_unused]] void use_all() {
  const TRACKPLEX_SPACE exec;
  use<float>(exec);
  use<double>(exec);
}

}  // namespace
}  // namespace trackplex
