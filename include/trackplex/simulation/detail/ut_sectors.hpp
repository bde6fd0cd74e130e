// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/ut/ut_geometry.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace trackplex::simulation::detail {

/// Number of a sector from its place in the readout: station and layer, region, number in the
/// region, all from 1 on.
constexpr std::size_t ut_sector(std::uint32_t station, std::uint32_t layer, std::uint32_t region,
                                std::uint32_t sector) {
  const std::size_t all_regions = (2 * (station - 1) + layer - 1) * lhcb::ut_regions + region - 1;
  return lhcb::ut_region_offsets[all_regions] + sector - 1;
}

/// The sectors of a UT, for finding those that a particle crosses.
class UtSectors {
 public:
  explicit UtSectors(const lhcb::UtGeometry& ut) {
    for (std::size_t s = 0; s < ut.size(); ++s)
      sectors_.push_back({ut.x[s], ut.y[s], ut.length[s], ut.x_per_strip[s], ut.y_per_strip[s]});
    for (int layer = 0; layer < lhcb::ut_layers; ++layer) {
      std::map<float, Plane> planes;
      const auto* range = &lhcb::ut_region_offsets[lhcb::ut_regions * layer];
      for (int s = range[0]; s < range[lhcb::ut_regions]; ++s) add(planes[ut.z[s]], layer, s);
      for (auto& [z, plane] : planes) {
        plane.z = z;
        layers_[layer].push_back(std::move(plane));
      }
    }
  }

  struct Plane {
    double z = 0.;
    std::vector<std::vector<std::uint16_t>> sectors;  ///< of each slice in x
  };

  /// Planes of sectors of a layer, ascending in z.
  const std::vector<Plane>& planes(int layer) const { return layers_[layer]; }

  /// Calls visit(sector, strip) for each sector of a plane of a layer that holds the point (x, y);
  /// `strip` counts from the middle of the first one.
  template <class Visit>
  void for_each_at(int layer, const Plane& plane, double x, double y, const Visit& visit) const {
    if (!(std::abs(x) < half_width)) return;
    for (const std::uint16_t s : plane.sectors[slice(x)]) {
      const Sector& sector = sectors_[s];
      const double strip = (x - sector.x - y * lhcb::ut_dxdy[layer]) / sector.x_per_strip;
      const double from_begin = y - sector.y - strip * sector.y_per_strip;
      if (-0.5 <= strip && strip < lhcb::ut_strips_per_sector - 0.5 && 0. <= from_begin &&
          from_begin < sector.length)
        visit(s, strip);
    }
  }

 private:
  /// As in lhcb::UtGeometry.
  struct Sector {
    double x, y, length;
    double x_per_strip, y_per_strip;
  };

  static constexpr double half_width = 1000.;  // mm; nothing is outside
  static constexpr double slice_width = 50.;

  static std::size_t slice(double x) {
    return static_cast<std::size_t>((x + half_width) / slice_width);
  }

  void add(Plane& plane, int layer, int s) const {
    const Sector& sector = sectors_[s];
    plane.sectors.resize(slice(half_width) + 1);
    double low = half_width, high = -half_width;
    for (const double strip : {-0.5, lhcb::ut_strips_per_sector - 0.5}) {
      const double begin = sector.y + strip * sector.y_per_strip;
      for (const double y : {begin, begin + sector.length}) {
        const double x = sector.x + strip * sector.x_per_strip + y * lhcb::ut_dxdy[layer];
        low = std::min(low, x);
        high = std::max(high, x);
      }
    }
    const std::size_t first = slice(std::max(low, -half_width));
    const std::size_t last = slice(std::min(high, half_width));
    for (std::size_t i = first; i <= last; ++i)
      plane.sectors[i].push_back(static_cast<std::uint16_t>(s));
  }

  std::vector<Sector> sectors_;
  std::array<std::vector<Plane>, lhcb::ut_layers> layers_;
};

}  // namespace trackplex::simulation::detail
