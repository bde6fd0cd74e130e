// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>

namespace trackplex::beam {

/// Kernel: a drift of straight lines, exact in the slopes.
/// @tparam Real number type of the kernel
template <class Real>
struct DriftStraight {
  using T = ScalarOf<Real>;
  BunchColumns<T> columns;  ///< coordinates of the bunch
  T length;                 ///< of the drift, m

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Real l(length), one(1);
    const Real xp0 = tile.load(columns.v[xp]), yp0 = tile.load(columns.v[yp]);
    const Real q = fma(xp0, xp0, yp0 * yp0);
    tile.store(columns.v[x], fma(l, xp0, tile.load(columns.v[x])));
    tile.store(columns.v[y], fma(l, yp0, tile.load(columns.v[y])));
    tile.store(columns.v[s], fma(l, q / (one + sqrt(one + q)), tile.load(columns.v[s])));
  }
};

}  // namespace trackplex::beam
