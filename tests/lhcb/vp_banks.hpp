// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <string>
#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>
#include <utility>
#include <vector>

/// VP banks for tests, from lit pixels or from files, and their clusters, found the plain way.

namespace trackplex::test {

/// Column and row of a pixel of a sensor.
using Pixel = std::pair<int, int>;

struct ReferenceCluster {
  std::uint32_t id;
  double x, y, z;
};

/// Of the pixels that touch `first`, and of those that touch them, ...: which it takes out.
inline std::vector<Pixel> take_connected(std::set<Pixel>& pixels, Pixel first) {
  pixels.erase(first);
  std::vector<Pixel> connected{first};
  for (std::size_t i = 0; i < connected.size(); ++i) {
    const auto [column, row] = connected[i];
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        if (pixels.erase({column + dx, row + dy})) connected.push_back({column + dx, row + dy});
  }
  return connected;
}

inline ReferenceCluster reference_cluster(const std::vector<Pixel>& pixels, int sensor,
                                          const lhcb::VeloPixelGeometry& geometry) {
  long columns = 0, rows = 0;
  const long n = long(pixels.size());
  for (const auto& [column, row] : pixels) {
    columns += column;
    rows += row;
  }
  const long cx = columns / n, cy = rows / n;
  const double fx = double(columns) / double(n) - double(cx);
  const double fy = double(rows) / double(n) - double(cy);
  const double x = geometry.column_x[cx] + fx * geometry.column_pitch[cx];
  const double y = (double(cy) + 0.5 + fy) * 0.055;
  const auto& t = geometry.transforms[sensor];
  return {lhcb::velo_id(long(sensor), cx, cy), t[0] * x + t[1] * y + t[9],
          t[3] * x + t[4] * y + t[10], t[6] * x + t[7] * y + t[11]};
}

/// The lit pixels of each sensor of an event.
inline std::map<int, std::set<Pixel>> lit_pixels(const lhcb::RawBanks& banks) {
  std::map<int, std::set<Pixel>> sensors;
  for (std::size_t b = 0; b < banks.size(); ++b) {
    const auto words = banks.payload(b);
    for (std::uint32_t i = 1; i <= words[0]; ++i) {
      const int column = 2 * int(words[i] >> 14 & 511), row = 4 * int(words[i] >> 8 & 63);
      for (int bit = 0; bit < 8; ++bit)
        if ((words[i] >> bit & 1) && column < lhcb::velo_pixel_columns)
          sensors[banks.sources[b]].insert({column + bit / 4, row + bit % 4});
    }
  }
  return sensors;
}

/// The clusters of an event in the order that `cluster_vp` promises.
inline std::vector<ReferenceCluster> reference_clusters(const lhcb::RawBanks& banks,
                                                        const lhcb::VeloPixelGeometry& geometry) {
  const auto rank = [](const Pixel& pixel) {
    return std::array{pixel.first / 2, pixel.second / 4, pixel.second};
  };
  std::vector<ReferenceCluster> clusters;
  for (auto& [sensor, pixels] : lit_pixels(banks)) {
    std::vector<std::pair<std::array<int, 3>, ReferenceCluster>> ranked;
    while (!pixels.empty()) {
      const auto connected = take_connected(pixels, *pixels.begin());
      auto first = rank(connected.front());
      for (const auto& pixel : connected) first = std::min(first, rank(pixel));
      ranked.push_back({first, reference_cluster(connected, sensor, geometry)});
    }
    std::sort(ranked.begin(), ranked.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& entry : ranked) clusters.push_back(entry.second);
  }
  return clusters;
}

/// The words of the super-pixels that hold these pixels, in the order of their places, with the
/// right hints about neighbours.
inline std::vector<std::uint32_t> super_pixels_of(const std::set<Pixel>& pixels) {
  std::map<std::pair<int, int>, std::uint32_t> patterns;
  for (const auto& [column, row] : pixels)
    patterns[{column / 2, row / 4}] |= 1u << (4 * (column % 2) + row % 4);
  std::vector<std::uint32_t> words;
  for (const auto& [place, pattern] : patterns) {
    int neighbours = -1;
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        neighbours += int(patterns.count({place.first + dx, place.second + dy}));
    words.push_back(std::uint32_t(neighbours == 0) << 31 | std::uint32_t(place.first) << 14 |
                    std::uint32_t(place.second) << 8 | pattern);
  }
  return words;
}

/// Appends a bank of super-pixels.
inline void add_vp_bank(lhcb::RawBanks& banks, int sensor, std::vector<std::uint32_t> words) {
  banks.version = 2;
  words.insert(words.begin(), std::uint32_t(words.size()));
  banks.push_back(std::uint16_t(sensor), words);
}

// Files -------------------------------------------------------------------------------------------

inline std::vector<char> file_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The VP banks of an event: their number, the offsets of each and of the end, then of each bank
/// its sensor and its words.
inline lhcb::RawBanks read_vp_banks(const std::filesystem::path& path) {
  const auto bytes = file_bytes(path);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  lhcb::RawBanks banks;
  banks.version = 2;
  const std::uint32_t n = words.at(0);
  for (std::uint32_t b = 0; b < n; ++b) {
    const std::size_t begin = n + 2 + words.at(1 + b) / 4, end = n + 2 + words.at(2 + b) / 4;
    banks.push_back(std::uint16_t(words.at(begin)),
                    std::span(words).subspan(begin + 1, end - begin - 1));
  }
  return banks;
}

/// Four arrays of floats, with 64-bit lengths before them.
inline lhcb::VeloPixelGeometry read_velo_geometry(const std::filesystem::path& path) {
  const auto bytes = file_bytes(path);
  lhcb::VeloPixelGeometry geometry;
  const char* from = bytes.data();
  const auto read = [&](auto& array, int counts) {
    from += 8 * counts;
    std::memcpy(array.data(), from, sizeof(array));
    from += sizeof(array);
  };
  read(geometry.module_z, 1);
  read(geometry.column_x, 1);
  read(geometry.column_pitch, 1);
  read(geometry.transforms, 2);
  return geometry;
}

}  // namespace trackplex::test
