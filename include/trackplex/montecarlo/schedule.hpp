// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/montecarlo/transport_counts.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

/// @file
/// Which histories to simulate next, until there are enough.

namespace trackplex::montecarlo {

/// When to stop, and how much to do at a time.
struct Goal {
  HistoryRange histories;
  double relative_error = 0.;     ///< the largest of the moments; 0: all histories
  std::uint64_t first_batch = 1;  ///< histories
  std::uint64_t batch = 0;        ///< 0: as many as take some tenths of a second
};

/// Why a simulation ended.
enum class Stop { histories, relative_error, interrupt };

/// The largest relative error of the moments of position and direction.
inline double relative_error(const montecarlo::MomentSums& moments) {
  double largest = 0.;
  for (const auto& estimate :
       {moments.z(), moments.z2(), moments.r2(), moments.cosine(), moments.cosine2()}) {
    const double relative = estimate.error / std::abs(estimate.value);
    if (!(relative <= largest)) largest = relative;  // also what is no number
  }
  return largest;
}

namespace detail {

inline constexpr double seconds_of_batch = 0.3;
inline constexpr std::uint64_t max_batch = 1 << 30;
inline constexpr std::uint64_t first_check = 1 << 16;

/// Between numbers of histories at which the error is looked at: 16 of them or more from each power
/// of two to the next. So a run ends at the same history however long its batches are, and wherever
/// it was interrupted.
inline std::uint64_t step_of_checks(std::uint64_t histories) {
  return std::max(first_check, std::bit_floor(histories) / 16);
}

inline bool is_checked(std::uint64_t histories) {
  return histories > 0 && histories % step_of_checks(histories) == 0;
}

inline std::uint64_t next_check(std::uint64_t histories) {
  const auto step = step_of_checks(histories);
  const auto steps = histories / step + 1;
  constexpr auto max = std::numeric_limits<std::uint64_t>::max();
  return steps > max / step ? max : steps * step;
}

}  // namespace detail

/// Asks for batches of histories until a goal is reached. With a goal for the error, a simulation
/// ends at the same history however long its batches are, and wherever it was interrupted:
///
///     Schedule schedule(goal, counts);  // counts of a checkpoint, or none
///     while (const auto range = schedule.next()) {
///       transport.run(exec, *range);
///       schedule.take(transport.take(exec), seconds);
///     }
class Schedule {
 public:
  /// Continues from counts.
  explicit Schedule(const Goal& goal, TransportCounts done = {})
      : goal_(goal), counts_(std::move(done)) {}

  /// The histories to run; none at the end, or where the user interrupts.
  std::optional<HistoryRange> next(bool interrupt = false) {
    const auto held = counts_.histories.size();
    if (interrupt) {
      stop_ = Stop::interrupt;
      return std::nullopt;
    }
    const bool has_error = goal_.relative_error > 0.;
    if (has_error && detail::is_checked(held) &&
        relative_error(counts_.moments) <= goal_.relative_error) {
      stop_ = Stop::relative_error;
      return std::nullopt;
    }
    const auto missing = counts_.histories.missing(goal_.histories);
    if (missing.empty()) return std::nullopt;
    auto range = missing.front();
    std::uint64_t size = std::min(range.size(), batch_size());
    if (has_error) size = std::min(size, detail::next_check(held) - held);
    range.end = range.begin + size;
    return range;
  }

  /// What they have counted, and how long that took.
  void take(const TransportCounts& counts, double seconds) {
    counts_ += counts;
    here_ += counts;
    seconds_ += seconds;
    last_seconds_ = seconds;
    last_batch_ = counts.histories.size();
  }

  const TransportCounts& counts() const { return counts_; }
  /// What has been added to those that it continues from.
  const TransportCounts& own_counts() const { return here_; }
  double seconds() const { return seconds_; }  ///< that this took
  Stop stop() const { return stop_; }

  /// How many histories it will have added, as far as one can tell.
  std::uint64_t expected() const {
    std::uint64_t expected = here_.histories.size();
    for (const auto& range : counts_.histories.missing(goal_.histories)) expected += range.size();
    const auto held = counts_.histories.size();
    if (goal_.relative_error == 0.) return expected;
    if (held < detail::first_check)
      return std::min(expected, here_.histories.size() + detail::first_check - held);
    const double ratio = relative_error(counts_.moments) / goal_.relative_error;
    const double more = std::max(0., double(held) * (ratio * ratio - 1.));
    return more < 0x1p63 ? std::min(expected, here_.histories.size() + std::uint64_t(more))
                         : expected;
  }

 private:
  std::uint64_t batch_size() const {
    if (goal_.batch > 0) return std::min(goal_.batch, detail::max_batch);
    if (last_batch_ == 0) return goal_.first_batch;
    const double growth =
        std::clamp(detail::seconds_of_batch / std::max(last_seconds_, 1e-6), 0.125, 8.);
    return std::clamp(std::uint64_t(double(last_batch_) * growth), goal_.first_batch,
                      detail::max_batch);
  }

  Goal goal_;
  TransportCounts counts_, here_;
  std::uint64_t last_batch_ = 0;
  double last_seconds_ = 0., seconds_ = 0.;
  Stop stop_ = Stop::histories;
};

}  // namespace trackplex::montecarlo
