// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Binning: how many of very many particles are in each bin of an axis. All sums are sums of
/// integers, so that the counts are the same whatever the strategy, the backend, the number of
/// threads and the lane width. Weights of particles would have to be integers for that.

#include <trackplex/histogram/axes.hpp>
#include <trackplex/histogram/detail/fill_rows.hpp>

#include <string>

namespace trackplex::histogram {

/// The positions of values in memory on a `RegularAxis`.
template <class Axis, class T>
struct AxisPositions {
  Axis axis;
  const T* values;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Tile<Real>& tile) const {
    return axis.position(tile.load(values));
  }
};

/// For a View of values that lives until the kernels are done.
template <class Axis, class Values>
AxisPositions<Axis, typename Values::non_const_value_type> positions_on(const Axis& axis,
                                                                        const Values& values) {
  return {axis, values.data()};
}

/// What `Strategy::automatic` is for so many bins.
template <class ExecutionSpace>
Strategy strategy_for(int bins, Deposition deposition) {
  const detail::Row row{bins};
  const bool fits = deposition == Deposition::linear
                        ? detail::can_replicate<Deposition::linear, ExecutionSpace>(row)
                        : detail::can_replicate<Deposition::nearest, ExecutionSpace>(row);
  return fits ? Strategy::replicated : Strategy::global_atomics;
}

namespace detail {

inline void require_deposit(int n, int bins, std::size_t counts, std::size_t outside) {
  if (n < 0) throw UsageError("deposit", "a negative number of particles", std::to_string(n));
  if (bins < 1 || bins >= too_many_bins)
    throw UsageError("deposit", bins < 1 ? "there are no bins" : "there are too many bins",
                     std::to_string(bins) + " bins",
                     "an axis has less than " + std::to_string(too_many_bins));
  if (counts < std::size_t(bins) || outside < 1)
    throw UsageError("deposit", "the views of the results are too small",
                     std::to_string(counts) + " counts for " + std::to_string(bins) + " bins, " +
                         std::to_string(outside) + " outside counts");
}

}  // namespace detail

/// Counts the n particles at `positions(Tile<Real>)` into `bins` bins: a position is a Real in
/// units of bins, bin i is [i, i + 1) with the centre i + 0.5. A kernel calls `positions` (a
/// functor with a const operator()) once for each particle; lanes past the end of a tile are
/// ignored. It gives NaN for what is to be left out.
///
/// `counts`, a View of at least `bins` integers of 32 or 64 bits on the device, gets the counts,
/// and nothing is kept of what was in it. With `Deposition::linear` a particle is `linear_unit`
/// counts of 64 bits: those of the two bins with the nearest centres are rounded once and add up to
/// `linear_unit`; outside of the outermost centres all go to the outermost bin. `outside`, a View
/// of at least one OutsideCounts, gets the numbers of particles in no bin. Real is the number type
/// of the kernel, `LanesOf<double, 4>` for example. Enqueues on the instance.
/// @throws UsageError if there are no or too many bins (2^22), if a View is too small, or with
///         linear deposition into 32 bits
template <class Real, class ExecutionSpace, class Positions, class Counts, class Outside>
void deposit(const ExecutionSpace& exec, int n, const Positions& positions, int bins,
             const Counts& counts, const Outside& outside, DepositOptions options,
             Workspace<ExecutionSpace>& workspace) {
  using Count = typename Counts::non_const_value_type;
  static_assert(
      std::is_integral_v<Count> && sizeof(Count) >= 4,
      "Counts are integers of 32 or 64 bits: then their sums do not depend on the order.");
  detail::require_deposit(n, bins, counts.extent(0), outside.extent(0));
  if (options.strategy == Strategy::automatic)
    options.strategy = strategy_for<ExecutionSpace>(bins, options.deposition);
  const detail::Row row{bins};
  const auto fill_and_add = [&]<Deposition deposition>() {
    const auto rows =
        detail::fill<deposition, Real>(exec, n, positions, row, options.strategy, workspace);
    for_each_item(
        exec, "Trackplex::Histogram::add_rows", int(row.cells()),
        detail::AddRows<deposition, Count, OutsideCounts>{rows, counts.data(), outside.data()});
  };
  if (options.deposition == Deposition::nearest)
    return fill_and_add.template operator()<Deposition::nearest>();
  if constexpr (sizeof(Count) == 8) {
    fill_and_add.template operator()<Deposition::linear>();
  } else {
    throw UsageError("deposit", "linear deposition counts in 64 bits", "counts of 32 bits");
  }
}

}  // namespace trackplex::histogram
