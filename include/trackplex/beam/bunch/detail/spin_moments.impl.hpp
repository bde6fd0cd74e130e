// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/spin_moments.hpp>

#include <cmath>

namespace trackplex::beam {

TRACKPLEX_INLINE double SpinMoments::polarization() const {
  return std::sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
}

}  // namespace trackplex::beam
