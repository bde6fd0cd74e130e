// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/beam/bunch/bunch.hpp>
#include <trackplex/beam/maps/map_pattern.hpp>

namespace trackplex::beam::detail {

/// Applies one map to the particles of a tile. Loads and stores dominate the cost of a single
/// element, so only the coordinates that its pattern changes are stored.
template <class Real, class Pattern>
struct PassMap {
  BunchColumns<ScalarOf<Real>> columns;
  const ScalarOf<Real>* coefficients;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    const Particle<Real> v = apply_map<Pattern>(coefficients, columns.load(tile));
    trackplex::detail::for_each_index<n_coordinates>([&]<int C>() TRACKPLEX_INLINE_LAMBDA {
      if constexpr (Pattern::value.changes(C)) tile.store(columns.v[C], v[C]);
    });
  }
};

}  // namespace trackplex::beam::detail
