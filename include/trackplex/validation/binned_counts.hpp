// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trackplex::validation {

/// Numbers of entries: a vector, span or array of integers. Heights of normalised bins are none;
/// a test could not know how many entries they stand for.
template <class Range>
concept CountRange = requires(const Range& range) {
  std::end(range);
  requires std::integral<std::iter_value_t<decltype(std::begin(range))>>;
};

/// A sample that was filled into a histogram, as the statistical tests see it: the number of
/// entries of each bin in the order of the axis. The entries below and above the axis are two bins
/// more, if given.
class BinnedCounts {
 public:
  template <CountRange Counts>
  BinnedCounts(const Counts& counts) {
    for (const auto count : counts) add(count);
  }

  template <CountRange Counts, std::integral Count>
  BinnedCounts(const Counts& counts, Count underflow, Count overflow) : has_outside_(true) {
    add(underflow);
    for (const auto count : counts) add(count);
    add(overflow);
  }

  /// The entries of each bin; with underflow and overflow, these are the first and the last.
  std::span<const std::uint64_t> bins() const { return bins_; }
  std::size_t size() const { return bins_.size(); }
  std::uint64_t operator[](std::size_t bin) const { return bins_[bin]; }
  std::uint64_t total() const { return total_; }
  bool has_outside() const { return has_outside_; }

 private:
  template <class Count>
  void add(Count count) {
    if (std::cmp_less(count, 0)) {
      throw UsageError("counts of a histogram",
                       "bin " + std::to_string(bins_.size()) + " has a negative count",
                       std::to_string(count) + " entries", "give numbers of entries");
    }
    bins_.push_back(static_cast<std::uint64_t>(count));
    total_ += bins_.back();
  }

  std::vector<std::uint64_t> bins_;
  std::uint64_t total_ = 0;
  bool has_outside_ = false;
};

namespace detail {
/// Throws unless two samples have entries and could have the same bins.
inline void require_comparable(std::string_view test, const BinnedCounts& a,
                               const BinnedCounts& b) {
  if (a.has_outside() != b.has_outside()) {
    throw UsageError(test, "only one histogram has underflow and overflow", {},
                     "give them for both or for none");
  }
  if (a.size() != b.size()) {
    throw UsageError(test, "the histograms have different bins",
                     std::to_string(a.size()) + " and " + std::to_string(b.size()) + " bins",
                     "fill both with the same axis");
  }
  if (a.total() == 0 || b.total() == 0) {
    throw UsageError(test, "a histogram is empty",
                     std::to_string(a.total()) + " and " + std::to_string(b.total()) + " entries");
  }
}
}  // namespace detail

}  // namespace trackplex::validation
