// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo_ut_detector.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

/// Plain decoding of raw banks, to look at generated ones.
namespace trackplex::test {

struct PixelCluster {
  std::uint32_t id;
  int pixels;
  double x, y, z;  ///< mm
};

using Pixels = std::set<std::pair<int, int>>;  ///< columns and rows

inline Pixels lit_pixels(std::span<const std::uint32_t> payload) {
  Pixels pixels;
  for (const std::uint32_t word : payload.subspan(1, payload[0])) {
    const int address = word >> 8 & 0x7fff;
    for (int bit = 0; bit < 8; ++bit)
      if (word >> bit & 1)
        pixels.insert({2 * (address >> 6) + bit / 4, 4 * (address & 63) + bit % 4});
  }
  return pixels;
}

/// Takes the pixels away that are connected with the first one, and returns them.
inline std::vector<std::pair<int, int>> take_connected(Pixels& pixels) {
  std::vector<std::pair<int, int>> cluster = {*pixels.begin()};
  pixels.erase(pixels.begin());
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    const auto [column, row] = cluster[i];
    for (int dc = -1; dc <= 1; ++dc)
      for (int dr = -1; dr <= 1; ++dr)
        if (pixels.erase({column + dc, row + dr}) > 0) cluster.push_back({column + dc, row + dr});
  }
  return cluster;
}

inline PixelCluster cluster_of(int sensor, std::span<const std::pair<int, int>> pixels,
                               const lhcb::VeloPixelGeometry& velo) {
  int columns = 0, rows = 0;
  for (const auto& [column, row] : pixels) {
    columns += column;
    rows += row;
  }
  const int n = static_cast<int>(pixels.size());
  const int column = columns / n, row = rows / n;
  const double pitch = velo.column_pitch[column];
  const double x = double(velo.column_x[column]) + (1. * columns / n - column) * pitch;
  const double y = (1. * rows / n + 0.5) * 0.055;
  std::array<double, 12> t{};
  std::copy(velo.transforms[sensor].begin(), velo.transforms[sensor].end(), t.begin());
  return {lhcb::velo_id(sensor, column, row), n, t[0] * x + t[1] * y + t[9],
          t[3] * x + t[4] * y + t[10], t[6] * x + t[7] * y + t[11]};
}

inline std::vector<PixelCluster> velo_clusters(const lhcb::RawBanks& banks,
                                               const lhcb::VeloPixelGeometry& velo) {
  std::vector<PixelCluster> clusters;
  for (std::size_t b = 0; b < banks.size(); ++b) {
    Pixels pixels = lit_pixels(banks.payload(b));
    while (!pixels.empty())
      clusters.push_back(cluster_of(banks.sources[b], take_connected(pixels), velo));
  }
  return clusters;
}

struct UtHit {
  std::uint32_t id;
  int layer;
  double y_begin, y_end;
  double x, z;  ///< x of the strip's line at y = 0
  double pitch;

  double x_at(double y) const { return x + y * lhcb::ut_dxdy[layer]; }
};

inline UtHit ut_hit(std::uint32_t board, std::uint32_t word, const lhcb::Detector& detector) {
  const auto& boards = detector.ut_boards;
  const auto& ut = detector.ut;
  const std::uint32_t channel = word >> 2 & 0xfff;
  const std::uint32_t hybrid = channel / boards.strips_per_hybrid.at(board);
  const std::uint32_t strip = channel - hybrid * boards.strips_per_hybrid[board] + 1;
  const std::uint32_t h = 6 * board + hybrid;
  const int layer = 2 * (boards.station.at(h) - 1) + boards.layer[h] - 1;
  const int s = lhcb::ut_region_offsets[3 * layer + boards.region[h] - 1] + boards.sector[h] - 1;
  const double n = 0.25 * (word & 3) + strip - ut.first_strip.at(s);
  const auto at = [&](float first, float per_strip) {
    return double(first) + n * double(per_strip);
  };
  const double y = at(ut.y[s], ut.y_per_strip[s]);
  return {0xBu << 28 | (boards.channel[h] + strip),
          layer,
          y,
          y + double(ut.length[s]),
          at(ut.x[s], ut.x_per_strip[s]),
          at(ut.z[s], ut.z_per_strip[s]),
          ut.pitch[s]};
}

inline std::vector<UtHit> ut_hits(const lhcb::RawBanks& banks, const lhcb::Detector& detector) {
  std::vector<UtHit> hits;
  for (std::size_t b = 0; b < banks.size(); ++b) {
    const auto payload = banks.payload(b);
    for (std::uint32_t i = 0; i < (payload[0] & 0xffff); ++i)
      hits.push_back(
          ut_hit(banks.sources[b], payload[1 + i / 2] >> (16 * (i % 2)) & 0xffff, detector));
  }
  return hits;
}

}  // namespace trackplex::test
