// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/error.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/montecarlo/detail/counts_of_ranks.hpp>
#include <trackplex/montecarlo/schedule.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace trackplex::montecarlo {

TRACKPLEX_INLINE double relative_error(const MomentSums& moments) {
  double largest = 0.;
  for (const auto& estimate :
       {moments.z(), moments.z2(), moments.r2(), moments.cosine(), moments.cosine2()}) {
    const double relative = estimate.error / std::abs(estimate.value);
    if (!(relative <= largest)) largest = relative;  // also a NaN
  }
  return largest;
}

namespace detail {

TRACKPLEX_INLINE std::uint64_t next_check(std::uint64_t histories) {
  const auto step = step_of_checks(histories);
  const auto steps = histories / step + 1;
  constexpr auto max = std::numeric_limits<std::uint64_t>::max();
  return steps > max / step ? max : steps * step;
}

}  // namespace detail

TRACKPLEX_INLINE std::optional<HistoryRange> Schedule::next(bool interrupt) {
  const auto held = counts_.histories.size();
  if (on_any(ranks_, interrupt)) {
    stop_ = StopReason::interrupt;
    return std::nullopt;
  }
  const bool has_error = params_.relative_error > 0.;
  if (has_error && detail::is_checked(held) &&
      relative_error(counts_.moments) <= params_.relative_error) {
    stop_ = StopReason::relative_error;
    return std::nullopt;
  }
  const auto missing = counts_.histories.missing(params_.histories);
  if (missing.empty()) return std::nullopt;
  auto range = missing.front();
  std::uint64_t size = std::min(range.size(), batch_size() * n_ranks());
  if (has_error) size = std::min(size, detail::next_check(held) - held);
  range.end = range.begin + size;
  batch_ = range;
  return ranks_ ? detail::part_of(range, *ranks_) : range;
}

TRACKPLEX_INLINE void Schedule::take(TransportCounts counts, double seconds) {
  if (ranks_) seconds = add_ranks(counts, seconds);
  counts_ += counts;
  counts.cells.clear();
  here_ += counts;
  seconds_ += seconds;
  last_seconds_ = seconds;
  last_batch_ = counts.histories.size();
}

TRACKPLEX_INLINE TransportCounts Schedule::counts() const {
  TransportCounts all = counts_;
  if (ranks_) detail::add_cells(*ranks_, all.cells);
  return all;
}

TRACKPLEX_INLINE std::uint64_t Schedule::expected() const {
  std::uint64_t expected = here_.histories.size();
  for (const auto& range : counts_.histories.missing(params_.histories)) expected += range.size();
  const auto held = counts_.histories.size();
  if (params_.relative_error == 0.) return expected;
  if (held < detail::first_check)
    return std::min(expected, here_.histories.size() + detail::first_check - held);
  const double ratio = relative_error(counts_.moments) / params_.relative_error;
  const double more = std::max(0., double(held) * (ratio * ratio - 1.));
  return more < 0x1p63 ? std::min(expected, here_.histories.size() + std::uint64_t(more))
                       : expected;
}

TRACKPLEX_INLINE double Schedule::add_ranks(TransportCounts& counts, double seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  detail::add_numbers(*ranks_, counts);
  const std::chrono::duration<double> waited = Clock::now() - start;
  const auto found = counts.moments.histories + counts.moments.skipped;
  if (found != batch_.size())
    throw UsageError("Schedule", "the ranks have not counted the batch", std::to_string(found),
                     "expected " + std::to_string(batch_.size()) + " histories, as of `next`");
  counts.histories.clear();
  counts.histories.add(batch_);
  return detail::of_first(*ranks_, seconds + waited.count());
}

TRACKPLEX_INLINE std::uint64_t Schedule::batch_size() const {
  if (params_.batch > 0) return std::min(params_.batch, detail::max_batch);
  if (last_batch_ == 0) return params_.first_batch;
  const double growth =
      std::clamp(detail::seconds_of_batch / std::max(last_seconds_, 1e-6), 0.125, 8.);
  return std::clamp(std::uint64_t(double(last_batch_) / double(n_ranks()) * growth),
                    params_.first_batch, detail::max_batch);
}

}  // namespace trackplex::montecarlo
