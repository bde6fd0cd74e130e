// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/lane_memory.hpp>
#include <trackplex/core/tile.hpp>

#include <vector>

namespace trackplex::beam {

namespace detail {

/// Weights of the filters of `smoothing_weights` and `derivative_weights`.
struct PolynomialFilter {
  std::vector<double> value, derivative;
};

}  // namespace detail

/// Returns the filter of A. Savitzky and M. J. E. Golay, Anal. Chem. 36 (1964) 1627: weights of
/// 2 half_width + 1 neighbours that give the value, in the middle, of the polynomial of an order
/// that fits them best by least squares.
/// @throws UsageError if the half width is negative or the order not from 0 to 2 half_width
std::vector<double> smoothing_weights(int half_width, int order);

/// Returns the same for the derivative, in the middle, with respect to the index.
/// @throws UsageError if the half width is negative or the order not from 0 to 2 half_width
std::vector<double> derivative_weights(int half_width, int order);

/// Returns the values smoothed by a filter of 2 half_width + 1 weights at the indices of the tile;
/// there are n values, and the first and the last one are repeated beyond the ends.
template <class Real, class Value>
KOKKOS_FUNCTION Real smoothed(const Tile<Real>& tile, const Value* values, int n,
                              const double* weights, int half_width) {
  using Integer = IntegerOf<Real>;
  using Index = ScalarOf<Integer>;
  const Integer first(0), last(Index(n - 1));
  Real sum(0);
  for (int i = -half_width; i <= half_width; ++i) {
    const Integer at = min(max(tile.index() + Integer(Index(i)), first), last);
    sum = fma(gather<Real>(values, at), Real(weights[i + half_width]), sum);
  }
  return sum;
}

}  // namespace trackplex::beam

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/beam/collective/detail/smoothing.impl.hpp>
#endif
