// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <trackplex/core/compiled.hpp>
#include <trackplex/core/ranks.hpp>
#include <trackplex/montecarlo/detail/counts_of_ranks.hpp>
#include <trackplex/montecarlo/transport_counts.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>

/// @file
/// Batches of histories until all are done or an error is reached.

namespace trackplex::montecarlo {

/// Parameters of a `Schedule`. Batches are those of one rank.
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
double relative_error(const MomentSums& moments);

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
///
/// Ranks share the histories of each batch: all of them call the same functions, and have the same
/// moments, times and decisions. Each keeps the cells that it has counted until `counts` adds them
/// up, so that a batch costs a few messages of some hundred bytes.
class Schedule {
 public:
  /// Starts with the counts of histories that are already done; those of rank 0 count.
  explicit Schedule(const ScheduleParams& params, TransportCounts done = {},
                    const Ranks* ranks = nullptr)
      : params_(params), ranks_(ranks), counts_(std::move(done)) {
    if (ranks_) detail::share_counts(*ranks_, counts_);
  }

  /// Returns the next histories for this rank to simulate, which may be none where the last ones do
  /// not suffice for all; nothing at the end, or with `interrupt` on any rank.
  std::optional<HistoryRange> next(bool interrupt = false);

  /// Adds the counts of what `next` returned, which took so many seconds. Of many ranks, the time
  /// is that of rank 0 until all have counted.
  /// @throws UsageError if the counts of all ranks are not those of a batch, or histories were
  /// counted before
  void take(TransportCounts counts, double seconds);

  /// Returns the counts of all histories, to all ranks.
  TransportCounts counts() const;
  /// Returns the counts of the histories that were added to those of the constructor, without
  /// cells.
  const TransportCounts& own_counts() const { return here_; }
  /// Returns the time of all batches, s; the same on all ranks.
  double seconds() const { return seconds_; }
  /// Returns the reason for which `next` returned nothing.
  StopReason stop() const { return stop_; }

  /// Returns an estimate of the histories that will have been added at the end.
  std::uint64_t expected() const;

 private:
  std::uint64_t n_ranks() const { return ranks_ ? std::uint64_t(ranks_->size()) : 1; }

  /// Adds up a batch over the ranks, except for its cells. Returns the time that it took.
  double add_ranks(TransportCounts& counts, double seconds) const;

  /// Of one rank.
  std::uint64_t batch_size() const;

  ScheduleParams params_;
  const Ranks* ranks_;
  TransportCounts counts_, here_;  ///< the cells are those of this rank
  HistoryRange batch_;             ///< of all ranks
  std::uint64_t last_batch_ = 0;
  double last_seconds_ = 0., seconds_ = 0.;
  StopReason stop_ = StopReason::histories;
};

}  // namespace trackplex::montecarlo

#if !defined(TRACKPLEX_COMPILED)
#include <trackplex/montecarlo/detail/schedule.impl.hpp>
#endif
