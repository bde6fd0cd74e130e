// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// The kernels that fill rows of cells, one for each strategy, and the one that adds up the rows.

#include <trackplex/core/launch.hpp>
#include <trackplex/core/team_launch.hpp>
#include <trackplex/histogram/detail/cells.hpp>

#include <cstddef>
#include <cstdint>

namespace trackplex::histogram::detail {

/// Rows of cells in memory.
template <Deposition deposition>
struct Rows {
  using Cell = typename Cells<deposition>::Cell;
  Row row;
  Cell* cells;
  int count;

  KOKKOS_FORCEINLINE_FUNCTION Cell* of_item(int item) const {
    return at(item / Cells<deposition>::items_per_row);
  }
  KOKKOS_FORCEINLINE_FUNCTION Cell* at(int i) const {
    return cells + std::size_t(i) * row.stride();
  }
};

template <class Cell>
struct ClearCells {
  Cell* cells;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { cells[i] = 0; }
};

// Global atomics ----------------------------------------------------------------------------------

template <Deposition deposition, class Real, class Positions>
struct DepositInPlace {
  Positions positions;
  Rows<deposition> rows;

  KOKKOS_FUNCTION void operator()(const Tile<Real>& tile) const {
    using Cell = typename Rows<deposition>::Cell;
    for_each_increment<deposition, Real, width_of<Real>>(
        rows.row, positions, tile.first, tile.count, [&](int i, int cell, Cell increment) {
          Kokkos::atomic_fetch_add(rows.of_item(tile.first + i) + cell, increment);
        });
  }
};

// Replicated --------------------------------------------------------------------------------------

/// Division of particles into blocks.
struct Replication {
  int blocks, items_per_block;
  int blocks_per_row;
  int copies;  ///< of a row that a block fills
};

/// A block of particles fills private copies of a row of its team. Adjacent particles, often in the
/// same bin, go to different copies. With `OwnRows` every block also has its own row in memory, so
/// that a team of one thread needs no atomics.
template <Deposition deposition, class Real, class Positions, bool OwnRows>
struct DepositReplicated {
  using Cell = typename Rows<deposition>::Cell;
  static constexpr int span = OwnRows ? 32 : 1;  ///< particles of a thread at a time
  Positions positions;
  Rows<deposition> rows;
  Replication cut;
  int n;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<Cell>(cut.copies * rows.row.stride());
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<Real, Member> team(member);
    const int block = member.league_rank(), rank = member.team_rank();
    const int stride = rows.row.stride(), copies = cut.copies, last_copy = copies - 1;
    Cell* const own = scratch.take<Cell>(copies * stride);
    team.template for_each<int>(copies * stride, [&](Tile<int> i) { own[i.first] = 0; });
    team.barrier();

    const int begin = block * cut.items_per_block;
    const int items = n - begin < cut.items_per_block ? n - begin : cut.items_per_block;
    for (int first = span * rank; first < items; first += span * member.team_size())
      for_each_increment<deposition, Real, span>(
          rows.row, positions, begin + first, items - first < span ? items - first : span,
          [&](int i, int cell, Cell increment) {
            team.add(own + ((rank + i) & last_copy) * stride + cell, increment);
          });
    team.barrier();
    Cell* const to = rows.at(block / cut.blocks_per_row);
    team.template for_each<int>(stride, [&](Tile<int> i) {
      Cell sum = own[i.first];
      for (int copy = 1; copy < copies; ++copy) sum += own[copy * stride + i.first];
      if (OwnRows)
        to[i.first] = sum;
      else if (sum != 0)
        Kokkos::atomic_fetch_add(to + i.first, sum);
    });
  }
};

// Sorted ------------------------------------------------------------------------------------------

/// Ascending sort of a power of two of integers by a team: merges of runs, of which the first step
/// compares a run with the next one backwards. K. E. Batcher, "Sorting networks and their
/// applications", AFIPS 32 (1968) 307, doi:10.1145/1468075.1468121.
template <class Team, class Key>
KOKKOS_FUNCTION void sort_in_team(const Team& team, Key* keys, int n) {
  const auto step = [&](int stride, int to_partner) {
    team.template for_each<int>(n / 2, [&](Tile<int> pair) {
      const int i = 2 * pair.first - (pair.first & (stride - 1));
      const int partner = i ^ to_partner;
      const Key a = keys[i], b = keys[partner];
      keys[i] = min(a, b);
      keys[partner] = max(a, b);
    });
    team.barrier();
  };
  for (int run = 1; run < n; run *= 2) {
    step(run, 2 * run - 1);
    for (int stride = run / 2; stride > 0; stride /= 2) step(stride, stride);
  }
}

/// A team sorts a block of particles by cell; then each of its threads adds up the runs of equal
/// cells in a segment of the block.
template <Deposition deposition, class Real, class Positions>
struct DepositSorted {
  using Cell = typename Rows<deposition>::Cell;
  static constexpr int items_per_block = 2048;
  static constexpr int items_per_segment = 8;
  static constexpr Cell no_item = ~Cell(0);
  static constexpr int share_bits = deposition == Deposition::linear ? 21 : 0;
  Positions positions;
  Rows<deposition> rows;
  int n;

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    ScratchCarver carver;
    carver.take<Cell>(items_per_block);
    return carver.bytes();
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, ScratchCarver scratch) const {
    const TeamLanes<Real, Member> team(member);
    Cell* const keys = scratch.take<Cell>(items_per_block);
    const int begin = member.league_rank() * items_per_block;
    const int items = n - begin < items_per_block ? n - begin : items_per_block;
    team.for_each(items, [&](const Tile<Real>& tile) { store_keys(tile, begin, keys); });
    team.template for_each<int>(items_per_block - items,
                                [&](Tile<int> i) { keys[items + i.first] = no_item; });
    team.barrier();
    sort_in_team(team, keys, items_per_block);
    Cell* const to = rows.of_item(begin);
    team.template for_each<int>(items_per_block / items_per_segment, [&](Tile<int> segment) {
      add_runs(keys + segment.first * items_per_segment, to);
    });
  }

 private:
  KOKKOS_FUNCTION void store_keys(const Tile<Real>& tile, int begin, Cell* keys) const {
    for_each_increment<deposition, Real, width_of<Real>>(
        rows.row, positions, begin + tile.first, tile.count, [&](int i, int cell, Cell increment) {
          Cell key = Cell(cell);
          if constexpr (share_bits > 0)
            key = key << share_bits | Cells<deposition>::to_next(increment);
          keys[tile.first + i] = key;
        });
  }

  KOKKOS_FUNCTION void add_runs(const Cell* keys, Cell* to) const {
    constexpr Cell share_mask = (Cell(1) << share_bits) - 1;
    Cell sum = 0;
    for (int i = 0; i < items_per_segment && keys[i] != no_item; ++i) {
      const Cell cell = keys[i] >> share_bits;
      sum += Cells<deposition>::increment(keys[i] & share_mask);
      if (i + 1 < items_per_segment && keys[i + 1] >> share_bits == cell) continue;
      Kokkos::atomic_fetch_add(to + cell, sum);
      sum = 0;
    }
  }
};

// Adding up the rows ------------------------------------------------------------------------------

template <Deposition deposition, class Count, class OutsideCounts>
struct AddRows {
  Rows<deposition> rows;
  Count* counts;
  OutsideCounts* outside;

  KOKKOS_FUNCTION void operator()(int i) const {
    using C = Cells<deposition>;
    const Row& row = rows.row;
    std::int64_t particles = 0, to_next = 0, from_last = 0;
    for (int r = 0; r < rows.count; ++r) {
      const auto* const cells = rows.at(r);
      particles += C::particles(cells[i]);
      if constexpr (deposition == Deposition::linear) {
        to_next += std::int64_t(C::to_next(cells[i]));
        if (i > 0) from_last += std::int64_t(C::to_next(cells[i - 1]));
      }
    }
    constexpr int unit = deposition == Deposition::linear ? linear_unit : 1;
    if (i < row.bins) counts[i] = Count(particles * unit - to_next + from_last);
    if (i == row.below()) outside->below = particles;
    if (i == row.above()) outside->above = particles;
    if (i == row.not_a_number()) outside->not_a_number = particles;
  }
};

}  // namespace trackplex::histogram::detail
