// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trackplex::chain {

/// Error of an arena without a large enough hole; names the algorithm and the array.
class ArenaError : public CapacityError {
 public:
  using CapacityError::CapacityError;
};

/// Part of an arena that is in use.
struct Segment {
  std::size_t offset = 0;  ///< bytes from the start of the arena
  std::size_t bytes = 0;   ///< size, rounded up to the alignment
};

/// Best-fit suballocator of one block of memory, of which it knows only the size: a segment goes
/// into the smallest hole that holds it, the first one among equals. It does not allocate or access
/// memory, nor wait for kernels, so a segment may be reused while kernels of the same instance
/// still work on it. All sizes and offsets are in bytes.
class Arena {
 public:
  static constexpr std::size_t default_alignment = 256;  ///< bytes

  /// Begins without segments.
  /// @throws UsageError if the alignment is not a power of two
  explicit Arena(std::size_t capacity, std::size_t alignment = default_alignment)
      : capacity_(capacity), alignment_(alignment) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0)
      throw UsageError("Arena", "the alignment is not a power of two", std::to_string(alignment));
    segments_.reserve(64);
  }

  /// Adds a segment and returns its offset, a multiple of the alignment; nothing if no hole holds
  /// it.
  std::optional<std::size_t> try_take(std::size_t bytes) {
    const std::size_t padded = round_up(bytes);
    if (padded < bytes) return std::nullopt;
    const auto hole = smallest_hole(padded);
    if (!hole) return std::nullopt;
    segments_.insert(segments_.begin() + std::ptrdiff_t(hole->index), {hole->offset, padded});
    used_ += padded;
    high_water_ = std::max(high_water_, used_);
    return hole->offset;
  }

  /// Adds a segment and returns its offset. The error names `label` and `algorithm`.
  /// @throws ArenaError if no hole holds the segment
  std::size_t take(std::size_t bytes, std::string_view label, std::string_view algorithm = {}) {
    if (const auto offset = try_take(bytes)) return *offset;
    throw ArenaError(algorithm, "bytes for " + std::string(label), bytes, capacity_,
                     std::to_string(used_) + " bytes are in use, the largest hole has " +
                         std::to_string(largest_hole()) +
                         "; give more memory, or take fewer events at a time");
  }

  /// Releases the segment at this offset.
  /// @throws UsageError if no segment begins there
  void release(std::size_t offset) {
    const auto found =
        std::lower_bound(segments_.begin(), segments_.end(), offset,
                         [](const Segment& s, std::size_t value) { return s.offset < value; });
    if (found == segments_.end() || found->offset != offset)
      throw UsageError("Arena::release", "no segment begins at " + std::to_string(offset));
    used_ -= found->bytes;
    segments_.erase(found);
  }

  /// Releases all segments.
  void release_all() {
    segments_.clear();
    used_ = 0;
  }

  std::size_t capacity() const { return capacity_; }    ///< Size of the block, bytes.
  std::size_t alignment() const { return alignment_; }  ///< Alignment of all segments, bytes.
  std::size_t used() const { return used_; }            ///< Bytes in use, padding included.
  /// Maximum of used() since construction.
  std::size_t high_water() const { return high_water_; }
  /// Size of the largest segment that can be added now, bytes.
  std::size_t largest_hole() const {
    std::size_t largest = 0;
    for_each_hole([&](const Hole& hole) { largest = std::max(largest, hole.bytes); });
    return largest;
  }
  /// The segments in use, in ascending order of their offsets.
  const std::vector<Segment>& segments() const { return segments_; }

 private:
  struct Hole {
    std::size_t index;  ///< of the next segment
    std::size_t offset;
    std::size_t bytes;
  };

  /// Empty segments occupy memory too, so that offsets are unique.
  std::size_t round_up(std::size_t bytes) const {
    return (std::max<std::size_t>(bytes, 1) + alignment_ - 1) & ~(alignment_ - 1);
  }

  template <class F>
  void for_each_hole(const F& f) const {
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= segments_.size(); ++i) {
      const std::size_t end = i < segments_.size() ? segments_[i].offset : capacity_;
      if (end > begin) f(Hole{i, begin, end - begin});
      if (i < segments_.size()) begin = segments_[i].offset + segments_[i].bytes;
    }
  }

  std::optional<Hole> smallest_hole(std::size_t bytes) const {
    std::optional<Hole> best;
    for_each_hole([&](const Hole& hole) {
      if (hole.bytes >= bytes && (!best || hole.bytes < best->bytes)) best = hole;
    });
    return best;
  }

  std::size_t capacity_;
  std::size_t alignment_;
  std::vector<Segment> segments_;
  std::size_t used_ = 0;
  std::size_t high_water_ = 0;
};

}  // namespace trackplex::chain
