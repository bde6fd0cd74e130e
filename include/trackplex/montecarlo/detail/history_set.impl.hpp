// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/montecarlo/history_set.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace trackplex::montecarlo {

TRACKPLEX_INLINE std::uint64_t HistorySet::size() const {
  std::uint64_t sum = 0;
  for (const auto& range : ranges_) sum += range.size();
  return sum;
}

TRACKPLEX_INLINE bool HistorySet::overlaps(const HistoryRange& range) const {
  return std::any_of(ranges_.begin(), ranges_.end(), [&](const HistoryRange& held) {
    return held.begin < range.end && range.begin < held.end;
  });
}

TRACKPLEX_INLINE void HistorySet::add(const HistoryRange& range) {
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

TRACKPLEX_INLINE void HistorySet::add(const HistorySet& other) {
  HistorySet sum = *this;
  for (const auto& range : other.ranges_) sum.add(range);
  ranges_ = std::move(sum.ranges_);
}

TRACKPLEX_INLINE std::vector<HistoryRange> HistorySet::missing(HistoryRange range) const {
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

}  // namespace trackplex::montecarlo
