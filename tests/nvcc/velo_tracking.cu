// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The whole chain of the VELO for TRACKPLEX_SPACE: device code of scalars, or host code of lanes.

#include <trackplex/lhcb/velo_tracking.hpp>

namespace trackplex::lhcb {

template class VeloTracking<float, TRACKPLEX_SPACE>;
template class VeloTracking<double, TRACKPLEX_SPACE>;

}  // namespace trackplex::lhcb
