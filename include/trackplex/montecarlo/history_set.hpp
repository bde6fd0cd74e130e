// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace trackplex::montecarlo {

/// Range of histories [begin, end), by their numbers.
struct HistoryRange {
  std::uint64_t begin = 0,  ///< First history.
      end = 0;              ///< Number after the last history.

  /// Returns the number of histories.
  std::uint64_t size() const { return end - begin; }
  /// Memberwise equality.
  friend bool operator==(const HistoryRange&, const HistoryRange&) = default;
};

/// Set of the histories in a result. A history is a number that determines all its random
/// numbers: no result may contain it twice.
class HistorySet {
 public:
  /// Returns the histories as ranges in ascending order, which neither overlap nor touch.
  const std::vector<HistoryRange>& ranges() const { return ranges_; }

  /// Returns the number of histories.
  std::uint64_t size() const;

  /// Returns whether the set contains a history of the range.
  bool overlaps(const HistoryRange& range) const;

  /// Adds a range.
  /// @throws UsageError if the set already contains a history of the range, or the range ends
  /// before it begins; nothing is added then
  void add(const HistoryRange& range);

  /// Adds another set.
  /// @throws UsageError if both contain the same history; nothing is added then
  void add(const HistorySet& other);

  /// Returns the parts of a range that the set does not contain, in ascending order: the remaining
  /// work of a continued run.
  std::vector<HistoryRange> missing(HistoryRange range) const;

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

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/montecarlo/detail/history_set.impl.hpp>
#endif
