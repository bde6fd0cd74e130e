// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Drifts with longitudinal space charge for TRACKPLEX_SPACE: device code of scalars, or host code
/// of lanes.

#include <trackplex/beam/longitudinal_space_charge.hpp>

namespace trackplex::beam {

using Space = TRACKPLEX_SPACE;
template class LongitudinalSpaceCharge<float, Space>;
template class LongitudinalSpaceCharge<double, Space>;

}  // namespace trackplex::beam
