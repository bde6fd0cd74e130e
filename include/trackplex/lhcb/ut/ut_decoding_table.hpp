// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/lhcb/ut/detail/connected_hybrids.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace trackplex::lhcb {

/// Boards and sectors of the UT for the decoding of hits. The connected hybrids are numbered in the
/// order of (sector group, y), so that sorted hits of one hybrid are adjacent. Hybrids of a group
/// whose strips begin at the same y, or overlap in y, share a row. Lengths are in mm. One extra
/// board and one extra hybrid represent those that do not exist.
template <class Real, class MemorySpace>
struct UtDecodingTable {
  using Index = IntegerOf<Real>;  ///< Integer as wide as a real.
  template <class T>
  using Array = Kokkos::View<T*, MemorySpace>;  ///< Array in this memory space.

  /// (board, place), flat: the number of hybrid h of board b is hybrid_of(hybrids_per_board * b +
  /// h); `hybrids` if nothing is connected.
  Array<std::uint16_t> hybrid_of;
  // Of each connected hybrid
  Array<Real> x,               ///< (hybrid): x of the beginning of its first strip
      y,                       ///< (hybrid): y of the beginning of its first strip
      z;                       ///< (hybrid): z of the beginning of its first strip
  Array<Real> x_per_strip,     ///< (hybrid): step in x from strip to strip
      y_per_strip,             ///< (hybrid): step in y from strip to strip
      z_per_strip;             ///< (hybrid): step in z from strip to strip
  Array<Real> length;          ///< (hybrid): length of the strips along y
  Array<Real> weight;          ///< (hybrid): 12/pitch^2, mm^-2
  Array<UnsignedOf<Real>> id;  ///< (hybrid): LHCbID of its first strip
  Array<Index> row;            ///< (hybrid): rows are numbered over all groups
  /// (hybrid): 1 if y, or x if y is the same for all strips, decreases with the number of the
  /// strip.
  Array<std::uint8_t> descending;
  Array<std::uint16_t> group_hybrids;  ///< (group), one more than groups: index of its first hybrid

  int boards = 0;   ///< number of boards
  int hybrids = 0;  ///< number of connected hybrids
  int groups = 0;   ///< number of sector groups, in all layers

  /// Places per board: a channel has 12 bits, 9 for the strip, and cannot address a ninth place.
  static constexpr int hybrids_per_board = 8;
};

/// Makes the decoding table of a detector. Waits for the instance.
/// @throws UsageError if boards, geometry and groups do not match, or a board does not read
///         ut_strips_per_sector strips per hybrid
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

  const auto fill = [&](auto& array, const std::string& name, std::size_t size, const auto& value) {
    array =
        new_array<std::decay_t<decltype(array)>>(exec, "Trackplex::Lhcb::ut_table_" + name, size);
    const auto host = Kokkos::create_mirror_view(array);
    for (std::size_t i = 0; i < size; ++i)
      host(i) = static_cast<typename std::decay_t<decltype(array)>::value_type>(value(i));
    copy_array(exec, array, host);
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
