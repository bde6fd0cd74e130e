// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/transport_counts.hpp>

namespace trackplex::io {

/// A simulation and what it has counted so far.
struct TransportCheckpoint {
  montecarlo::TransportDescription description;
  montecarlo::TransportCounts counts;
};

}  // namespace trackplex::io
