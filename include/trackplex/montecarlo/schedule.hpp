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
/// Batches of histories until all are done or an error is reached.

namespace trackplex::montecarlo {

/// Parameters of a `Schedule`.
struct ScheduleParams {
  HistoryRange histories;         ///< Histories to simulate, at most.
  double relative_error = 0.;     ///< Stop when `relative_error()` is at most this; 0: never.
  std::uint64_t first_batch = 1;  ///< Histories of the first batch, and of the smallest ones.
  std::uint64_t batch = 0;        ///< Histories per batch; 0: chosen to take 0.3 s each.
};

/// Reason for which a simulation ended.
enum class StopReason {
  histories,       ///< All histories are done.
  relative_error,  ///< The error is small enough.
  interrupt        ///< The caller asked for it.
};

/// Returns the largest relative error of the means of z, z^2, r^2, cos(theta) and cos^2(theta); NaN
/// if one of them is not defined.
inline double relative_error(const MomentSums& moments) {
  double largest = 0.;
  for (const auto& estimate :
       {moments.z(), moments.z2(), moments.r2(), moments.cosine(), moments.cosine2()}) {
    const double relative = estimate.error / std::abs(estimate.value);
    if (!(relative <= largest)) largest = relative;  // also a NaN
  }
  return largest;
}

namespace detail {

inline constexpr double seconds_of_batch = 0.3;
inline constexpr std::uint64_t max_batch = 1 << 30;
inline constexpr std::uint64_t first_check = 1 << 16;

/// Returns the distance of the numbers of histories at which the error is checked: at least 16
/// checks between two powers of two.
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

/// Schedule of batches of histories. The error is checked at numbers of histories that depend on
/// nothing else, so that a simulation ends at the same history however long its batches are and
/// wherever it was interrupted:
///
///     Schedule schedule(params, counts);  // counts of a checkpoint, or none
///     while (const auto range = schedule.next()) {
///       transport.run(exec, *range);
///       schedule.take(transport.take(exec), seconds);
///     }
class Schedule {
 public:
  /// Starts with the counts of histories that are already done.
  explicit Schedule(const ScheduleParams& params, TransportCounts done = {})
      : params_(params), counts_(std::move(done)) {}

  /// Returns the next histories to simulate; nothing at the end, or with `interrupt`.
  std::optional<HistoryRange> next(bool interrupt = false) {
    const auto held = counts_.histories.size();
    if (interrupt) {
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
    std::uint64_t size = std::min(range.size(), batch_size());
    if (has_error) size = std::min(size, detail::next_check(held) - held);
    range.end = range.begin + size;
    return range;
  }

  /// Adds the counts of a batch, which took so many seconds.
  void take(const TransportCounts& counts, double seconds) {
    counts_ += counts;
    here_ += counts;
    seconds_ += seconds;
    last_seconds_ = seconds;
    last_batch_ = counts.histories.size();
  }

  /// Returns the counts of all histories.
  const TransportCounts& counts() const { return counts_; }
  /// Returns the counts of the histories that were added to those of the constructor.
  const TransportCounts& own_counts() const { return here_; }
  /// Returns the time of all batches, s.
  double seconds() const { return seconds_; }
  /// Returns the reason for which `next` returned nothing.
  StopReason stop() const { return stop_; }

  /// Returns an estimate of the histories that will have been added at the end.
  std::uint64_t expected() const {
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

 private:
  std::uint64_t batch_size() const {
    if (params_.batch > 0) return std::min(params_.batch, detail::max_batch);
    if (last_batch_ == 0) return params_.first_batch;
    const double growth =
        std::clamp(detail::seconds_of_batch / std::max(last_seconds_, 1e-6), 0.125, 8.);
    return std::clamp(std::uint64_t(double(last_batch_) * growth), params_.first_batch,
                      detail::max_batch);
  }

  ScheduleParams params_;
  TransportCounts counts_, here_;
  std::uint64_t last_batch_ = 0;
  double last_seconds_ = 0., seconds_ = 0.;
  StopReason stop_ = StopReason::histories;
};

}  // namespace trackplex::montecarlo
