// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

namespace trackplex::beam {

/// Voltage along a bunch, one value per bin.
struct WakeProfile {
  std::vector<double> time;     ///< Centres of the bins, relative to the reference particle, s.
  std::vector<double> voltage;  ///< Voltage, V, of a particle at this time; see wake.hpp.
};

}  // namespace trackplex::beam
