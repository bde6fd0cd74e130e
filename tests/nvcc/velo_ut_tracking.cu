// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The whole chain from raw banks to VELO and UT tracks for TRACKPLEX_SPACE: device code of
/// scalars, or host code of lanes.

#include <trackplex/lhcb/velo_ut_tracking.hpp>

namespace trackplex::lhcb {

template class VeloUtTracking<float, TRACKPLEX_SPACE>;
template class VeloUtTracking<double, TRACKPLEX_SPACE>;

}  // namespace trackplex::lhcb
