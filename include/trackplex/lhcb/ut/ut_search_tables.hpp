// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/copy.hpp>
#include <trackplex/core/error.hpp>
#include <trackplex/core/number.hpp>
#include <trackplex/lhcb/ut/ut_geometry.hpp>
#include <trackplex/lhcb/ut/ut_sector_groups.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace trackplex::lhcb {

/// Positions of the sector groups of the UT for the search for hits. Lengths are in mm.
template <class T, class MemorySpace>
struct UtSearchTables {
  using Index = IntegerOf<T>;  ///< Integer as wide as a real.
  template <class U>
  using Array = Kokkos::View<U*, MemorySpace>;  ///< Array in this memory space.

  /// Width of the bins in x of the table `coarse`, mm.
  static constexpr double coarse_bin = 16.;
  /// Range of this table: |x| in mm.
  static constexpr double coarse_reach = 1024.;
  /// Number of these bins per layer.
  static constexpr int coarse_bins = int(2. * coarse_reach / coarse_bin);

  Array<T> left_edge;  ///< (group): x where its sectors begin
  Array<T> x_low,      ///< (group): lowest x of its strips, extended to y = 0
      x_high;          ///< (group): highest x of its strips, extended to y = 0
  /// (layer, bin), flat: number of groups of the layer that begin more than 1 mm below the bin.
  Array<Index> coarse;
  int layer_offset[ut_layers + 1] = {};  ///< first group of each layer, and the end
  T z_spread[ut_layers] = {};            ///< maximum distance in z between two strips of a layer
  T max_length = 0;                      ///< maximum length of a strip along y

  /// Number of groups of a layer that begin below x.
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION IntegerOf<Real> groups_before(const Real& x, int layer,
                                                            const MaskOf<Real>& mask) const {
    using Integer = IntegerOf<Real>;
    const Real low = Real(T(-coarse_reach)), per_bin = Real(T(1. / coarse_bin));
    const Real last = Real(T(coarse_bins - 1));
    const Real bin = max(Real(T(0)), min((x - low) * per_bin, last));
    const Integer groups = Integer(Index(layer_offset[layer + 1] - layer_offset[layer]));
    Integer n = gather<Integer>(coarse.data() + layer * coarse_bins, convert<Integer>(bin), mask);
    MaskOf<Real> walking = mask && n < groups;
    while (any_of(walking)) {
      walking = walking && gather<Real>(left_edge.data() + layer_offset[layer], n, walking) < x;
      n = select(walking, n + Integer(1), n);
      walking = walking && n < groups;
    }
    return n;
  }
};

namespace detail {

/// Range over the strips s of a sector of a coordinate `at` + per_strip * (s - first_strip).
inline std::pair<double, double> strip_range(double at, double per_strip,
                                             std::uint32_t first_strip) {
  const double begin = at + per_strip * (1. - first_strip);
  const double end = begin + per_strip * ut_strips_per_sector;
  return {std::min(begin, end), std::max(begin, end)};
}

}  // namespace detail

/// Makes the search tables of a detector. Waits for the instance.
/// @throws UsageError if the geometry does not have ut_sectors sectors
template <class T, class ExecutionSpace>
UtSearchTables<T, typename ExecutionSpace::memory_space> ut_search_tables(
    const ExecutionSpace& exec, const UtGeometry& ut) {
  using Tables = UtSearchTables<T, typename ExecutionSpace::memory_space>;
  if (ut.size() != std::size_t(ut_sectors))
    throw UsageError("ut_search_tables",
                     "the geometry has " + std::to_string(ut.size()) + " sectors",
                     std::to_string(ut_sectors) + " are wanted");
  const auto groups = ut_sector_groups(ut);
  std::vector<double> x_low(groups.size(), 1e9), x_high(groups.size(), -1e9);
  std::vector<int> coarse(ut_layers * Tables::coarse_bins);
  Tables tables;
  for (int layer = 0; layer < ut_layers; ++layer) {
    double z_low = 1e9, z_high = -1e9;
    for (int s = ut_region_offsets[layer * ut_regions];
         s < ut_region_offsets[(layer + 1) * ut_regions]; ++s) {
      const auto [low, high] = detail::strip_range(ut.x[s], ut.x_per_strip[s], ut.first_strip[s]);
      auto& group_low = x_low[groups.of_sector[s]];
      auto& group_high = x_high[groups.of_sector[s]];
      group_low = std::min(group_low, low);
      group_high = std::max(group_high, high);
      const auto z = detail::strip_range(ut.z[s], ut.z_per_strip[s], ut.first_strip[s]);
      z_low = std::min(z_low, z.first);
      z_high = std::max(z_high, z.second);
      tables.max_length = std::max(tables.max_length, T(ut.length[s]));
    }
    tables.z_spread[layer] = T(z_high - z_low);
    const int begin = groups.layer_offsets[layer], end = groups.layer_offsets[layer + 1];
    tables.layer_offset[layer + 1] = end;
    for (int bin = 0; bin < Tables::coarse_bins; ++bin) {
      // The first bin also holds all that is before it
      const double well_before = bin == 0 ? -std::numeric_limits<double>::infinity()
                                          : -Tables::coarse_reach + Tables::coarse_bin * bin - 1.;
      const auto first = groups.left_edge.begin() + begin;
      coarse[layer * Tables::coarse_bins + bin] =
          int(std::lower_bound(first, groups.left_edge.begin() + end, well_before) - first);
    }
  }
  const auto upload = [&](auto& view, const std::string& label, const auto& values) {
    view = to_device<typename std::decay_t<decltype(view)>::value_type>(exec, label, values);
  };
  upload(tables.left_edge, "Trackplex::Lhcb::ut_left_edge", groups.left_edge);
  upload(tables.x_low, "Trackplex::Lhcb::ut_x_low", x_low);
  upload(tables.x_high, "Trackplex::Lhcb::ut_x_high", x_high);
  upload(tables.coarse, "Trackplex::Lhcb::ut_coarse", coarse);
  return tables;
}

}  // namespace trackplex::lhcb
