// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/lhcb/detail/connected_hybrids.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace trackplex::lhcb {

/// Boards and sectors for the decoding of UT hits. The connected hybrids are
/// numbered in the order of (sector group, y), so that hits of one hybrid stand together in the
/// end. Hybrids of a group whose strips begin at the same y, or overlap in it, share a row. Lengths
/// in mm. The last board, and the last hybrid, stand for those that do not exist.
template <class Real, class MemorySpace>
struct UtDecodingTable {
  using Index = IntegerOf<Real>;
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;

  /// Number of hybrid h of board b: hybrid_of(hybrids_per_board b + h); `hybrids` where nothing is
  /// connected.
  Array<std::uint16_t> hybrid_of;
  // Of each connected hybrid
  Array<Real> x, y, z;  ///< where its first strip begins
  Array<Real> x_per_strip, y_per_strip, z_per_strip;
  Array<Real> length;          ///< of the strips, along y
  Array<Real> weight;          ///< 12/pitch^2, mm^-2
  Array<UnsignedOf<Real>> id;  ///< LHCbID of its first strip
  Array<Index> row;            ///< rows are numbered over all groups
  /// 1 where y, or x where y is the same for all strips, falls with the number of the strip.
  Array<std::uint8_t> descending;
  Array<std::uint16_t> group_hybrids;  ///< first hybrid of each group, and the end

  int boards = 0;
  int hybrids = 0;
  int groups = 0;

  /// A channel has 12 bits, 9 of them for the strip: it cannot name a hybrid that is not here.
  static constexpr int hybrids_per_board = 8;
};

/// The table for a detector. Waits for the instance.
/// @throws UsageError if boards, geometry and groups do not fit together, or a board reads another
///         number of strips than ut_strips_per_sector for each hybrid
template <class Real, class ExecutionSpace>
UtDecodingTable<Real, typename ExecutionSpace::memory_space> ut_decoding_table(
    const ExecutionSpace& exec, const UtBoards& boards, const UtGeometry& geometry,
    const UtSectorGroups& groups) {
  using Table = UtDecodingTable<Real, typename ExecutionSpace::memory_space>;
  const auto hybrids = detail::connected_hybrids<Real>(boards, geometry, groups);
  const auto n = hybrids.size();
  Table table;
  table.boards = int(boards.size());
  table.hybrids = int(n);
  table.groups = groups.size();

  const auto fill = [&](auto& array, const char* name, std::size_t size, const auto& value) {
    array = std::decay_t<decltype(array)>(
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing,
                           std::string("Trackplex::Lhcb::ut_table_") + name),
        size);
    const auto host = Kokkos::create_mirror_view(array);
    for (std::size_t i = 0; i < size; ++i)
      host(i) = static_cast<typename std::decay_t<decltype(array)>::value_type>(value(i));
    Kokkos::deep_copy(exec, array, host);
    exec.fence();
  };
  const auto fill_from = [&](auto& array, const char* name, auto member) {
    fill(array, name, n, [&](std::size_t i) { return hybrids[i].*member; });
  };
  using Hybrid = detail::ConnectedHybrid<Real>;
  fill_from(table.x, "x", &Hybrid::x);
  fill_from(table.y, "y", &Hybrid::y);
  fill_from(table.z, "z", &Hybrid::z);
  fill_from(table.x_per_strip, "x_per_strip", &Hybrid::x_per_strip);
  fill_from(table.y_per_strip, "y_per_strip", &Hybrid::y_per_strip);
  fill_from(table.z_per_strip, "z_per_strip", &Hybrid::z_per_strip);
  fill_from(table.length, "length", &Hybrid::length);
  fill_from(table.weight, "weight", &Hybrid::weight);
  fill_from(table.id, "id", &Hybrid::id);
  fill_from(table.row, "row", &Hybrid::row);

  fill(table.descending, "descending", n + 1, [&](std::size_t i) {
    const auto falls = [](Real y, Real x) { return y < 0 || (y == 0 && x < 0); };
    return i < n && falls(hybrids[i].y_per_strip, hybrids[i].x_per_strip);
  });

  std::vector<int> number((boards.size() + 1) * Table::hybrids_per_board, int(n));
  std::vector<int> first(groups.size() + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    number[hybrids[i].board * Table::hybrids_per_board + hybrids[i].place] = int(i);
    ++first[hybrids[i].group + 1];
  }
  for (int g = 0; g < groups.size(); ++g) first[g + 1] += first[g];
  fill(table.hybrid_of, "hybrid_of", number.size(), [&](std::size_t i) { return number[i]; });
  fill(table.group_hybrids, "group_hybrids", first.size(), [&](std::size_t i) { return first[i]; });
  return table;
}

}  // namespace trackplex::lhcb
