// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The chain for the toy detector with all its algorithms, for TRACKPLEX_SPACE: device code of
/// scalars, or host code of lanes.

#include <trackplex/cylinder/tracking_chain.hpp>

namespace trackplex {
namespace {

template <class T>
void use(const TRACKPLEX_SPACE& exec) {
  auto chain = cylinder::tracking_chain<T>(exec, {}, {1 << 20, 1 << 19});
  chain.select(cylinder::CylinderSteps{.triplets = true, .smooth = true}.names());
  chain(std::vector<tracks::TrackingEvents>());
}

[[maybe_unused]] void use_all() {
  const TRACKPLEX_SPACE exec;
  use<float>(exec);
  use<double>(exec);
}

}  // namespace
}  // namespace trackplex
