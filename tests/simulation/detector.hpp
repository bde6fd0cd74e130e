// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/simulation/ideal_detector.hpp>

namespace trackplex::test {

/// VELO and UT without displacements, made once.
inline const lhcb::Detector& detector() {
  static const lhcb::Detector ideal = simulation::ideal_detector();
  return ideal;
}

}  // namespace trackplex::test
