// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/lhcb/raw_banks.hpp>
#include <trackplex/lhcb/velo/velo_pixels.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace trackplex::simulation::detail {

/// The owner of pixels and strips that noise lit.
inline constexpr std::uint32_t no_particle = 0xffffffffu;

/// Sensor, column and row of the LHCbID of a pixel.
constexpr std::uint32_t sensor_of(std::uint32_t id) { return id >> 18 & 0x3ffu; }
constexpr std::uint32_t column_of(std::uint32_t id) { return id >> 8 & 0x3ffu; }
constexpr std::uint32_t row_of(std::uint32_t id) { return id & 0xffu; }

/// A lit pixel, by its LHCbID, and the particle that lit it.
struct LitPixel {
  std::uint32_t id;
  std::uint32_t particle;

  friend auto operator<=>(const LitPixel&, const LitPixel&) = default;
};

/// A particle and the LHCbID of one of its hits.
struct OwnedHit {
  std::uint32_t particle;
  std::uint32_t id;

  friend auto operator<=>(const OwnedHit&, const OwnedHit&) = default;
  friend bool operator==(const OwnedHit&, const OwnedHit&) = default;  // nvcc makes none itself
};

/// Connects lit pixels that touch, also at a corner, with the smallest index as root.
class PixelGroups {
 public:
  /// Pixels without duplicates, ascending.
  explicit PixelGroups(std::span<const std::uint32_t> pixels) : parent_(pixels.size()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    std::size_t left = 0;  // not above the pixel's neighbours in the column before
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      if (row_of(pixels[i]) > 0 && i > 0 && pixels[i - 1] == pixels[i] - 1) join(i - 1, i);
      if (column_of(pixels[i]) == 0) continue;
      const std::uint32_t beside = pixels[i] - 256u;  // the same row one column before
      const std::uint32_t first = beside - (row_of(pixels[i]) > 0 ? 1u : 0u);
      const std::uint32_t last = beside + (row_of(pixels[i]) + 1 < lhcb::velo_pixel_rows ? 1u : 0u);
      while (pixels[left] < first) ++left;
      for (std::size_t j = left; pixels[j] <= last; ++j) join(j, i);
    }
  }

  std::uint32_t root(std::size_t pixel) {
    std::size_t i = pixel;
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return static_cast<std::uint32_t>(i);
  }

 private:
  void join(std::size_t a, std::size_t b) {
    const std::uint32_t first = root(a), second = root(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

  std::vector<std::uint32_t> parent_;
};

/// The LHCbID of the cluster that each pixel is part of: that of the pixel at the mean column and
/// row, rounded down. `pixels` as for PixelGroups.
inline std::vector<std::uint32_t> cluster_ids(std::span<const std::uint32_t> pixels) {
  struct Sum {
    std::uint32_t n = 0, columns = 0, rows = 0;
  };
  PixelGroups groups(pixels);
  std::vector<Sum> sums(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    Sum& sum = sums[groups.root(i)];
    ++sum.n;
    sum.columns += column_of(pixels[i]);
    sum.rows += row_of(pixels[i]);
  }
  std::vector<std::uint32_t> ids(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const Sum& sum = sums[groups.root(i)];
    ids[i] = lhcb::velo_id(sensor_of(pixels[i]), sum.columns / sum.n, sum.rows / sum.n);
  }
  return ids;
}

/// Writes the banks of the VELO: one per sensor, super-pixels of 2 x 4 pixels ascending in address,
/// with the hint where no neighbour holds a lit pixel.
class VeloBankWriter {
 public:
  static constexpr int version = 2;

  /// Pixels without duplicates, ascending.
  lhcb::RawBanks operator()(std::span<const std::uint32_t> pixels) {
    lhcb::RawBanks banks;
    banks.version = version;
    std::size_t next = 0;
    for (int sensor = 0; sensor < lhcb::velo_sensor_count; ++sensor) {
      const std::size_t first = next;
      while (next < pixels.size() && sensor_of(pixels[next]) == std::uint32_t(sensor)) ++next;
      fill(pixels.subspan(first, next - first));
      banks.push_back(static_cast<std::uint16_t>(sensor), words_);
    }
    return banks;
  }

 private:
  static constexpr int columns = lhcb::velo_pixel_columns / 2;
  static constexpr std::uint32_t isolated = 1u << 31;

  /// The payload of one sensor.
  void fill(std::span<const std::uint32_t> pixels) {
    words_.assign(1, 0);
    for (const std::uint32_t id : pixels) {  // a column of super-pixels is two columns of pixels
      const std::uint32_t address = column_of(id) / 2 << 6 | row_of(id) / 4;
      words_.push_back(address << 8 | 1u << (4 * (column_of(id) % 2) + row_of(id) % 4));
    }
    std::sort(words_.begin() + 1, words_.end());
    std::size_t end = 1;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      if (end > 1 && words_[end - 1] >> 8 == words_[i] >> 8)
        words_[end - 1] |= words_[i];
      else
        words_[end++] = words_[i];
    }
    words_.resize(end);
    words_[0] = static_cast<std::uint32_t>(end - 1);
    mark_isolated();
  }

  void mark_isolated() {
    lit_.fill(0);
    const auto column = [](std::uint32_t word) { return static_cast<int>(word >> 14 & 0x1ffu); };
    const auto row = [](std::uint32_t word) { return word >> 8 & 0x3fu; };
    const std::span super_pixels(words_.data() + 1, words_.size() - 1);
    for (const std::uint32_t word : super_pixels)
      lit_[column(word) + 1] |= std::uint64_t{1} << row(word);
    for (std::uint32_t& word : super_pixels) {
      const std::uint64_t self = std::uint64_t{1} << row(word);
      const std::uint64_t beside = self << 1 | self >> 1;
      const int c = column(word) + 1;
      const std::uint64_t neighbours =
          ((lit_[c - 1] | lit_[c + 1]) & (beside | self)) | (lit_[c] & beside);
      if (neighbours == 0) word |= isolated;
    }
  }

  std::vector<std::uint32_t> words_;
  std::array<std::uint64_t, columns + 2> lit_{};  ///< rows of each column; nothing at the ends
};

}  // namespace trackplex::simulation::detail
