// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "schedule.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace coulomb {

using montecarlo::HistoryRange;

namespace {

constexpr double seconds_of_batch = 0.3;
constexpr std::uint64_t max_batch = 1 << 30;
constexpr std::uint64_t first_check = 1 << 16;

/// Between numbers of histories at which the error is looked at: 16 of them or more from each power
/// of two to the next. So a run ends at the same history however long its batches are, and wherever
/// it was interrupted.
std::uint64_t step_of_checks(std::uint64_t histories) {
  return std::max(first_check, std::bit_floor(histories) / 16);
}

bool is_checked(std::uint64_t histories) {
  return histories > 0 && histories % step_of_checks(histories) == 0;
}

std::uint64_t next_check(std::uint64_t histories) {
  const auto step = step_of_checks(histories);
  const auto steps = histories / step + 1;
  constexpr auto max = std::numeric_limits<std::uint64_t>::max();
  return steps > max / step ? max : steps * step;
}

}  // namespace

double relative_error(const montecarlo::MomentSums& moments) {
  double largest = 0.;
  for (const auto& estimate :
       {moments.z(), moments.z2(), moments.r2(), moments.cosine(), moments.cosine2()}) {
    const double relative = estimate.error / std::abs(estimate.value);
    if (!(relative <= largest)) largest = relative;  // also what is no number
  }
  return largest;
}

std::optional<HistoryRange> Schedule::next() {
  const auto held = counts_.histories.size();
  if (interruption_.stop_requested()) {
    stop_ = Stop::interrupt;
    return std::nullopt;
  }
  const bool has_error = goal_.relative_error > 0.;
  if (has_error && is_checked(held) && relative_error(counts_.moments) <= goal_.relative_error) {
    stop_ = Stop::relative_error;
    return std::nullopt;
  }
  const auto missing = counts_.histories.missing(goal_.histories);
  if (missing.empty()) return std::nullopt;
  auto range = missing.front();
  std::uint64_t size = std::min(range.size(), batch_size());
  if (has_error) size = std::min(size, next_check(held) - held);
  range.end = range.begin + size;
  return range;
}

void Schedule::take(const Batch& batch) {
  counts_ += batch.counts;
  here_ += batch.counts;
  seconds_ += batch.seconds;
  last_seconds_ = batch.seconds;
  last_batch_ = batch.range.size();
}

std::uint64_t Schedule::batch_size() const {
  if (goal_.batch > 0) return std::min(goal_.batch, max_batch);
  if (last_batch_ == 0) return goal_.first_batch;
  const double growth = std::clamp(seconds_of_batch / std::max(last_seconds_, 1e-6), 0.125, 8.);
  return std::clamp(std::uint64_t(double(last_batch_) * growth), goal_.first_batch, max_batch);
}

std::uint64_t Schedule::expected() const {
  std::uint64_t expected = histories();
  for (const auto& range : counts_.histories.missing(goal_.histories)) expected += range.size();
  const auto held = counts_.histories.size();
  if (goal_.relative_error == 0.) return expected;
  if (held < first_check) return std::min(expected, histories() + first_check - held);
  const double ratio = relative_error(counts_.moments) / goal_.relative_error;
  const double more = std::max(0., double(held) * (ratio * ratio - 1.));
  return more < 0x1p63 ? std::min(expected, histories() + std::uint64_t(more)) : expected;
}

}  // namespace coulomb
