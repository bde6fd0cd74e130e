// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Launching the kernels of a strategy: from particles to rows of cells.

#include <trackplex/core/workspace.hpp>
#include <trackplex/histogram/detail/deposit_kernels.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace trackplex::histogram::detail {

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
             SpaceTraits<ExecutionSpace>::shared_bytes(deposit_team_size<ExecutionSpace>);
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
    for_each_item(exec, "Trackplex::Histogram::clear", int(n), ClearCells<Cell>{cells.data()});
  return {row, cells.data(), count};
}

template <Deposition deposition, class Real, class ExecutionSpace, class Positions>
Rows<deposition> fill(const ExecutionSpace& exec, int n, const Positions& positions, const Row& row,
                      Strategy strategy, Workspace<ExecutionSpace>& workspace) {
  constexpr int team_size = deposit_team_size<ExecutionSpace>;
  if (strategy == Strategy::replicated && can_replicate<deposition, ExecutionSpace>(row)) {
    constexpr bool own_rows = is_host_space<ExecutionSpace>;
    const Replication cut = replication<deposition>(exec, n, row);
    const int count = (cut.blocks + cut.blocks_per_row - 1) / cut.blocks_per_row;
    const auto rows = rows_for<deposition>(exec, row, count, !own_rows, workspace);
    for_each_team(exec, "Trackplex::Histogram::deposit_replicated", cut.blocks,
                  DepositReplicated<deposition, Real, Positions, own_rows>{positions, rows, cut, n},
                  team_size);
    return rows;
  }
  const int count = n / Cells<deposition>::items_per_row + 1;
  const auto rows = rows_for<deposition>(exec, row, count, true, workspace);
  if (strategy == Strategy::sorted) {
    using Kernel = DepositSorted<deposition, Real, Positions>;
    constexpr int items = Kernel::items_per_block;
    for_each_team(exec, "Trackplex::Histogram::deposit_sorted",
                  int((std::int64_t(n) + items - 1) / items), Kernel{positions, rows, n},
                  team_size);
  } else {
    for_each_tile<Real>(exec, "Trackplex::Histogram::deposit_atomics", n,
                        DepositInPlace<deposition, Real, Positions>{positions, rows});
  }
  return rows;
}

}  // namespace trackplex::histogram::detail
