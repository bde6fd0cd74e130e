// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Binning: how many of very many particles are in each bin of an axis. All sums are sums of
/// integers, so that the counts are the same whatever the strategy, the backend, the number of
/// threads and the lane width. Weights of particles would have to be integers for that.

#include <trackplex/core/workspace.hpp>
#include <trackplex/histogram/axes.hpp>
#include <trackplex/histogram/detail/deposit_kernels.hpp>

#include <algorithm>

namespace trackplex::histogram {

/// How particles get into a histogram. The counts do not depend on it.
enum class Strategy {
  automatic,       ///< what `strategy_for` says
  global_atomics,  ///< one histogram for all threads, with atomic additions
  replicated,      ///< a histogram for each block of particles, all of them added up at the end
  sorted,          ///< blocks of particles are sorted by bin; each run of one bin is one addition
};

struct DepositOptions {
  Strategy strategy = Strategy::automatic;
  Deposition deposition = Deposition::nearest;
};

/// Numbers of particles that are in no bin.
struct OutsideCounts {
  std::int64_t below, above, not_a_number;
  KOKKOS_FUNCTION std::int64_t total() const { return below + above + not_a_number; }
};

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

namespace detail {

/// Threads of a team that fills a row together.
template <class ExecutionSpace>
inline constexpr int deposit_team_size = is_host_space<ExecutionSpace> ? 1 : 512;

template <Deposition deposition>
constexpr std::int64_t row_bytes(const Row& row) {
  return row.stride() * std::int64_t(sizeof(typename Cells<deposition>::Cell));
}

/// Whether a row fits where a team finds it quickly.
template <Deposition deposition, class ExecutionSpace>
bool can_replicate(const Row& row) {
  return is_host_space<ExecutionSpace> ||
         row_bytes<deposition>(row) + 2 * std::int64_t(ScratchCarver::alignment) <=
             SpaceTraits<ExecutionSpace>::shared_bytes;
}

template <Deposition deposition, class ExecutionSpace>
Replication replication(const ExecutionSpace& exec, int n, const Row& row) {
  using Integer = std::int64_t;
  constexpr int team = deposit_team_size<ExecutionSpace>;
  constexpr bool is_host = is_host_space<ExecutionSpace>;
  constexpr Integer items_per_row = Cells<deposition>::items_per_row;
  // Blocks have several particles for each cell that is cleared and added up for them.
  const Integer smallest = std::max<Integer>(4 * Integer(row.stride()), 16 * team);
  const Integer most = is_host ? 4 * exec.concurrency() : exec.concurrency() / team;
  const Integer blocks = std::clamp<Integer>(n / smallest, 1, std::max<Integer>(most, 1));
  constexpr Integer whole_tiles = 1024;
  const Integer cut = ((n + blocks - 1) / blocks + whole_tiles - 1) / whole_tiles * whole_tiles;
  const Integer items = std::clamp<Integer>(cut, 1, items_per_row);
  constexpr Integer bytes_of_copies = 16 << 10;
  return {int((n + items - 1) / items), int(items), is_host ? 1 : int(items_per_row / items),
          4 * row_bytes<deposition>(row) <= bytes_of_copies ? 4 : 1};
}

/// Rows for n particles, in cells that are 0 if `cleared`.
template <Deposition deposition, class ExecutionSpace>
Rows<deposition> rows_for(const ExecutionSpace& exec, const Row& row, int count, bool cleared,
                          Workspace<ExecutionSpace>& workspace) {
  using Cell = typename Cells<deposition>::Cell;
  const std::size_t n = std::size_t(count) * row.stride();
  const auto cells = workspace.template get<Cell>(exec, "Trackplex::Histogram::rows", n);
  if (cleared)
    Kokkos::parallel_for("Trackplex::Histogram::clear",
                         Kokkos::RangePolicy<ExecutionSpace>(exec, 0, n),
                         ClearCells<Cell>{cells.data()});
  return {row, cells.data(), count};
}

template <Deposition deposition, class ExecutionSpace>
Rows<deposition> cleared_rows(const ExecutionSpace& exec, const Row& row, int n,
                              Workspace<ExecutionSpace>& workspace) {
  constexpr int items_per_row = Cells<deposition>::items_per_row;
  return rows_for<deposition>(exec, row, n / items_per_row + 1, true, workspace);
}

template <Deposition deposition, class Real, class ExecutionSpace, class Positions>
Rows<deposition> fill_replicated(const ExecutionSpace& exec, int n, const Positions& positions,
                                 const Row& row, Workspace<ExecutionSpace>& workspace) {
  constexpr bool own_rows = is_host_space<ExecutionSpace>;
  const Replication cut = replication<deposition>(exec, n, row);
  const int count = (cut.blocks + cut.blocks_per_row - 1) / cut.blocks_per_row;
  const auto rows = rows_for<deposition>(exec, row, count, !own_rows, workspace);
  for_each_team(exec, "Trackplex::Histogram::deposit_replicated", cut.blocks,
                DepositReplicated<deposition, Real, Positions, own_rows>{positions, rows, cut, n},
                deposit_team_size<ExecutionSpace>);
  return rows;
}

template <Deposition deposition, class Real, class ExecutionSpace, class Positions>
Rows<deposition> fill_sorted(const ExecutionSpace& exec, int n, const Positions& positions,
                             const Row& row, Workspace<ExecutionSpace>& workspace) {
  using Kernel = DepositSorted<deposition, Real, Positions>;
  const auto rows = cleared_rows<deposition>(exec, row, n, workspace);
  const int blocks = int((std::int64_t(n) + Kernel::items_per_block - 1) / Kernel::items_per_block);
  for_each_team(exec, "Trackplex::Histogram::deposit_sorted", blocks, Kernel{positions, rows, n},
                deposit_team_size<ExecutionSpace>);
  return rows;
}

template <Deposition deposition, class Real, class ExecutionSpace, class Positions>
Rows<deposition> fill(const ExecutionSpace& exec, int n, const Positions& positions, const Row& row,
                      Strategy strategy, Workspace<ExecutionSpace>& workspace) {
  if (strategy == Strategy::replicated && can_replicate<deposition, ExecutionSpace>(row))
    return fill_replicated<deposition, Real>(exec, n, positions, row, workspace);
  if (strategy == Strategy::sorted)
    return fill_sorted<deposition, Real>(exec, n, positions, row, workspace);
  const auto rows = cleared_rows<deposition>(exec, row, n, workspace);
  for_each_tile<Real>(exec, "Trackplex::Histogram::deposit_atomics", n,
                      DepositInPlace<deposition, Real, Positions>{positions, rows});
  return rows;
}

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

/// What `Strategy::automatic` is for n particles in so many bins.
template <class ExecutionSpace>
Strategy strategy_for(const ExecutionSpace& exec, int n, int bins, Deposition deposition) {
  const detail::Row row{bins};
  const bool is_linear = deposition == Deposition::linear;
  if (!(is_linear ? detail::can_replicate<Deposition::linear, ExecutionSpace>(row)
                  : detail::can_replicate<Deposition::nearest, ExecutionSpace>(row)))
    return Strategy::global_atomics;
  // With too few particles for a second block one thread would do it all.
  const bool threads_wait = is_host_space<ExecutionSpace> && exec.concurrency() > 1 &&
                            n > (1 << 16) && n / 8 < row.stride();
  return threads_wait ? Strategy::global_atomics : Strategy::replicated;
}

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
    options.strategy = strategy_for(exec, n, bins, options.deposition);
  const detail::Row row{bins};
  const auto fill_and_add = [&]<Deposition deposition>() {
    const auto rows =
        detail::fill<deposition, Real>(exec, n, positions, row, options.strategy, workspace);
    Kokkos::parallel_for(
        "Trackplex::Histogram::add_rows", Kokkos::RangePolicy<ExecutionSpace>(exec, 0, row.cells()),
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
