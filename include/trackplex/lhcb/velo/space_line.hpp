// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace trackplex::lhcb {

/// Straight line in space, by its point at z and its slopes.
template <class Real>
struct SpaceLine {
  Real x,   ///< mm
      y,    ///< mm
      z;    ///< mm
  Real tx,  ///< dx/dz
      ty;   ///< dy/dz
};

}  // namespace trackplex::lhcb
