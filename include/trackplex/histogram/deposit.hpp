// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Binning: how many of very many particles are in each bin of an axis. All sums are sums of
/// integers, so that the counts are the same whatever the strategy, the backend, the number of
/// threads and the lane width. Weights of particles would have to be integers for that.

#include <trackplex/histogram/axes.hpp>
#include <trackplex/histogram/detail/fill_rows.hpp>

#include <string>
#include <type_traits>

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

/// Counts the n particles at `positions(Tile<Real>)` into bins: a position is a Real in units of
/// bins, bin i is [i, i + 1) with the centre i + 0.5. A kernel calls `positions` (a functor with a
/// const operator()) once for each particle; lanes past the end of a tile are ignored. It gives NaN
/// for what is to be skipped.
///
/// `counts`, a View of at least `params.bins` integers of 32 or 64 bits on the device, gets the
/// counts, and nothing is kept of what was in it. With `Deposition::linear` a particle is
/// `linear_unit` counts of 64 bits: those of the two bins with the nearest centres are rounded once
/// and add up to `linear_unit`; outside of the outermost centres all go to the outermost bin.
/// `outside`, a View of at least one OutsideCounts, gets the numbers of particles in no bin.
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct Deposit {
  static constexpr const char* name = "deposit";
  using Scratch = Workspace<ExecutionSpace>;

  DepositParams params;

  template <class Memory, class Positions, class Counts, class Outside>
  void allocate(const Memory& memory, int /*n*/, const Positions&, Counts& counts,
                Outside& outside) const {
    allocate_array(memory.of(counts), counts, "Trackplex::Histogram::counts", params.bins);
    allocate_array(memory.of(outside), outside, "Trackplex::Histogram::outside", 1);
  }

  /// Enqueues on the instance.
  /// @throws UsageError if there are no or too many bins (2^22), if a View is too small, or with
  ///         linear deposition into 32 bits
  template <class Positions, class Counts, class Outside>
  void operator()(const ExecutionSpace& exec, int n, const Positions& positions, Counts& counts,
                  Outside& outside, Scratch& workspace) const {
    using Count = typename Counts::non_const_value_type;
    static_assert(
        std::is_integral_v<Count> && sizeof(Count) >= 4,
        "Counts are integers of 32 or 64 bits: then their sums do not depend on the order.");
    check(n, counts.extent(0), outside.extent(0));
    const auto deposit = [&]<Deposition deposition>() {
      const auto rows = detail::fill<deposition, LanesOf<T, Width>>(
          exec, n, positions, detail::Row{params.bins}, params.strategy, workspace);
      for_each_item(
          exec, "Trackplex::Histogram::add_rows", int(rows.row.cells()),
          detail::AddRows<deposition, Count, OutsideCounts>{rows, counts.data(), outside.data()});
    };
    if (params.deposition == Deposition::nearest)
      return deposit.template operator()<Deposition::nearest>();
    if constexpr (sizeof(Count) == 8) {
      deposit.template operator()<Deposition::linear>();
    } else {
      throw UsageError(name, "linear deposition counts in 64 bits", "counts of 32 bits");
    }
  }

 private:
  void check(int n, std::size_t counts, std::size_t outside) const {
    const int bins = params.bins;
    if (n < 0) throw UsageError(name, "a negative number of particles", std::to_string(n));
    if (bins < 1 || bins >= detail::too_many_bins)
      throw UsageError(name, bins < 1 ? "there are no bins" : "there are too many bins",
                       std::to_string(bins) + " bins",
                       "an axis has less than " + std::to_string(detail::too_many_bins));
    if (counts < std::size_t(bins) || outside < 1)
      throw UsageError(name, "the views of the results are too small",
                       std::to_string(counts) + " counts for " + std::to_string(bins) + " bins, " +
                           std::to_string(outside) + " outside counts");
  }
};

}  // namespace trackplex::histogram
