// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
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

/// Range of numbers of entries: a vector, span or array of integers. Heights of normalised bins are
/// excluded: a test cannot know how many entries they represent.
template <class Range>
concept CountRange = requires(const Range& range) {
  std::end(range);
  requires std::integral<std::iter_value_t<decltype(std::begin(range))>>;
};

/// Sample filled into a histogram, as input of the statistical tests: the number of entries of each
/// bin in the order of the axis. Underflow and overflow, if given, are two additional bins.
class BinnedCounts {
 public:
  /// Takes the entries of the bins, without underflow and overflow.
  /// @throws UsageError if a count is negative
  template <CountRange Counts>
  BinnedCounts(const Counts& counts) {
    for (const auto count : counts) add(count);
  }

  /// Takes the entries of the bins, of underflow and of overflow.
  /// @throws UsageError if a count is negative
  template <CountRange Counts, std::integral Count>
  BinnedCounts(const Counts& counts, Count underflow, Count overflow) : has_outside_(true) {
    add(underflow);
    for (const auto count : counts) add(count);
    add(overflow);
  }

  /// Returns the entries of each bin; underflow and overflow, if given, are the first and the last
  /// bin.
  std::span<const std::uint64_t> bins() const { return bins_; }
  /// Returns the number of bins, including underflow and overflow.
  std::size_t size() const { return bins_.size(); }
  /// Returns the entries of a bin, counted as in `bins`.
  std::uint64_t operator[](std::size_t bin) const { return bins_[bin]; }
  /// Returns the sum of the entries of all bins.
  std::uint64_t total() const { return total_; }
  /// Returns whether underflow and overflow were given.
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
/// Checks that two samples have entries and the same number of bins.
void require_comparable(std::string_view test, const BinnedCounts& a, const BinnedCounts& b);
}  // namespace detail

}  // namespace trackplex::validation

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/validation/detail/binned_counts.impl.hpp>
#endif
