// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Histograms of very many particles. All sums are sums of integers, so the counts do not
/// depend on the strategy, the backend, the number of threads or the lane width. Particles have no
/// weights.

#include <trackplex/histogram/axes.hpp>
#include <trackplex/histogram/detail/fill_rows.hpp>

#include <string>
#include <type_traits>

namespace trackplex::histogram {

/// Functor that returns the positions on a `RegularAxis` of values in memory.
template <class Axis, class T>
struct AxisPositions {
  Axis axis;        ///< The axis.
  const T* values;  ///< One value per particle.
  /// Returns the positions of a tile of particles, in units of bins.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION Real operator()(const Tile<Real>& tile) const {
    return axis.position(tile.load(values));
  }
};

/// Returns the positions on an axis of the values in a View, which must live until the kernels
/// are done.
template <class Axis, class Values>
AxisPositions<Axis, typename Values::non_const_value_type> positions_on(const Axis& axis,
                                                                        const Values& values) {
  return {axis, values.data()};
}

/// Histogram of n particles: counts them in bins by their positions.
///
/// `positions` is a functor, `Real operator()(Tile<Real>) const`, that a kernel calls once per
/// particle. It returns the position in units of bins: bin i is [i, i + 1) with the centre i + 0.5.
/// NaN skips a particle; lanes past the end of a tile are ignored.
///
/// With `Deposition::linear` a particle contributes `linear_unit` 64-bit counts, shared between
/// the two bins with the nearest centres: at the position c + f, where c is the lower of these
/// centres and 0 <= f < 1, the upper bin gets f `linear_unit`, rounded to a whole number, and the
/// lower one the rest. Beyond the outermost centres the outermost bin gets all counts.
/// @tparam T precision of the positions
/// @tparam ExecutionSpace where the kernels run
/// @tparam Width number of lanes on a host
template <class T, class ExecutionSpace, int Width = default_lane_width<ExecutionSpace, T>>
struct Deposit {
  static constexpr const char* name = "deposit";
  using Scratch = Workspace<ExecutionSpace>;  ///< Memory kept between calls.

  DepositParams params;  ///< Number of bins, and how they are filled.

  /// Allocates the results: `params.bins` counts, and one `OutsideCounts`.
  template <class Memory, class Positions, class Counts, class Outside>
  void allocate(const Memory& memory, int /*n*/, const Positions&, Counts& counts, Outside& outside,
                Scratch&) const {
    allocate_array(memory.of(counts), counts, "Trackplex::Histogram::counts", params.bins);
    allocate_array(memory.of(outside), outside, "Trackplex::Histogram::outside", 1);
  }

  /// Enqueues the histogram on the instance.
  ///
  /// `counts`, a View of at least `params.bins` integers of 32 or 64 bits on the device, receives
  /// the counts; its former contents are replaced. `outside`, a View of at least one
  /// `OutsideCounts`, receives the numbers of particles outside all bins.
  /// @throws UsageError if n is negative, if there is no bin or 2^22 and more, if a View is too
  ///         small, or for linear deposition into 32-bit counts
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
