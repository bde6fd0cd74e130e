// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Range of histories [begin, end), by their numbers.
struct HistoryRange {
  std::uint64_t begin = 0,  ///< First history.
      end = 0;              ///< Number behind the last history.

  /// Returns the number of histories.
  std::uint64_t size() const { return end - begin; }
  /// Memberwise equality.
  friend bool operator==(const HistoryRange&, const HistoryRange&) = default;
};

/// Set of the histories that a result holds. A history is a number, from which all its random
/// numbers follow: no result may hold it twice.
class HistorySet {
 public:
  /// Returns the histories as ranges in ascending order, which neither overlap nor touch.
  const std::vector<HistoryRange>& ranges() const { return ranges_; }

  /// Returns the number of histories.
  std::uint64_t size() const {
    std::uint64_t sum = 0;
    for (const auto& range : ranges_) sum += range.size();
    return sum;
  }

  /// Tells whether the set holds a history of the range.
  bool overlaps(const HistoryRange& range) const {
    return std::any_of(ranges_.begin(), ranges_.end(), [&](const HistoryRange& held) {
      return held.begin < range.end && range.begin < held.end;
    });
  }

  /// Adds a range.
  /// @throws UsageError if a history of the range is held already, or the range ends before it
  /// begins; nothing is added then
  void add(const HistoryRange& range) {
    if (range.end < range.begin)
      throw UsageError("HistorySet", "a range ends before it begins", text(range));
    if (range.size() == 0) return;
    if (overlaps(range))
      throw UsageError("HistorySet", "histories would count twice", text(range),
                       "each number belongs to one run");
    auto next = std::find_if(ranges_.begin(), ranges_.end(),
                             [&](const auto& held) { return held.begin >= range.end; });
    const bool meets_last = next != ranges_.begin() && (next - 1)->end == range.begin;
    const bool meets_next = next != ranges_.end() && next->begin == range.end;
    if (meets_last && meets_next) {
      (next - 1)->end = next->end;
      ranges_.erase(next);
    } else if (meets_last) {
      (next - 1)->end = range.end;
    } else if (meets_next) {
      next->begin = range.begin;
    } else {
      ranges_.insert(next, range);
    }
  }

  /// Adds another set.
  /// @throws UsageError if both hold a history; nothing is added then
  void add(const HistorySet& other) {
    HistorySet sum = *this;
    for (const auto& range : other.ranges_) sum.add(range);
    ranges_ = std::move(sum.ranges_);
  }

  /// Returns the parts of a range that the set does not hold, in ascending order: the work left for
  /// a run that continues.
  std::vector<HistoryRange> missing(HistoryRange range) const {
    std::vector<HistoryRange> gaps;
    for (const auto& held : ranges_) {
      if (held.end <= range.begin) continue;
      if (held.begin >= range.end) break;
      if (range.begin < held.begin) gaps.push_back({range.begin, held.begin});
      range.begin = std::min(held.end, range.end);
    }
    if (range.begin < range.end) gaps.push_back(range);
    return gaps;
  }

  /// Removes all histories.
  void clear() { ranges_.clear(); }
  /// Memberwise equality.
  friend bool operator==(const HistorySet&, const HistorySet&) = default;

 private:
  static std::string text(const HistoryRange& range) {
    return std::to_string(range.begin) + " to " + std::to_string(range.end);
  }

  std::vector<HistoryRange> ranges_;
};

}  // namespace trackplex::montecarlo
