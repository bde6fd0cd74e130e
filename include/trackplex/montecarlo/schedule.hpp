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
/// Batches of histories, until all are done or a target error is reached.

namespace trackplex::montecarlo {

/// Parameters of a `Schedule`. Batch sizes are per rank.
struct ScheduleParams {
  HistoryRange histories;         ///< Histories to simulate at most.
  double relative_error = 0.;     ///< Stop when `relative_error()` is at most this; 0: never.
  std::uint64_t first_batch = 1;  ///< Histories of the first batch, and min size of a batch.
  std::uint64_t batch = 0;        ///< Histories per batch; 0: chosen to take 0.3 s each.
};

/// Reason for which a simulation ended.
enum class StopReason {
  histories,       ///< All histories are done.
  relative_error,  ///< The error is small enough.
  interrupt        ///< The caller requested it.
};

/// Returns the largest relative error of the means of z, z^2, r^2, cos(theta) and cos^2(theta); NaN
/// if any is undefined.
double relative_error(const MomentSums& moments);

namespace detail {

inline constexpr double seconds_of_batch = 0.3;
inline constexpr std::uint64_t max_batch = 1 << 30;
inline constexpr std::uint64_t first_check = 1 << 16;

/// Returns the number of histories between checks of the error: at least 16 checks between two
/// powers of two.
inline std::uint64_t step_of_checks(std::uint64_t histories) {
  return std::max(first_check, std::bit_floor(histories) / 16);
}

inline bool is_checked(std::uint64_t histories) {
  return histories > 0 && histories % step_of_checks(histories) == 0;
}

}  // namespace detail

/// Schedule of batches of histories. The error is checked at fixed numbers of histories, so that
/// a simulation ends at the same history, whatever the length of its batches and wherever it was
/// interrupted:
///
///     Schedule schedule(params, counts);  // counts of a checkpoint, or none
///     while (const auto range = schedule.next()) {
///       transport.run(exec, *range);
///       schedule.take(transport.take(exec), seconds);
///     }
///
/// Ranks share the histories of each batch: all ranks call the same functions, and have the same
/// moments, times and decisions. Each rank keeps the cells that it has counted until `counts` sums
/// them, so that a batch costs a few messages of some hundred bytes.
class Schedule {
 public:
  /// Starts with the counts of histories that are already done, as given on rank 0.
  explicit Schedule(const ScheduleParams& params, TransportCounts done = {},
                    const Ranks* ranks = nullptr)
      : params_(params), ranks_(ranks), counts_(std::move(done)) {
    if (ranks_) detail::share_counts(*ranks_, counts_);
  }

  /// Returns the next histories for this rank, which may be an empty range if the last ones do not
  /// suffice for all ranks; nothing at the end, or with `interrupt` on any rank.
  std::optional<HistoryRange> next(bool interrupt = false);

  /// Adds the counts of the histories that `next` returned, which took `seconds`. With several
  /// ranks, the time is that of rank 0 until all have counted.
  /// @throws UsageError if the counts of all ranks are not those of a batch, or histories were
  /// already counted
  void take(TransportCounts counts, double seconds);

  /// Returns the counts of all histories, on all ranks.
  TransportCounts counts() const;
  /// Returns the counts of the histories that were added to those of the constructor, without
  /// cells.
  const TransportCounts& own_counts() const { return here_; }
  /// Returns the time of all batches, s; the same on all ranks.
  double seconds() const { return seconds_; }
  /// Returns the reason for which `next` returned nothing.
  StopReason stop() const { return stop_; }

  /// Returns an estimate of the number of histories at the end.
  std::uint64_t expected() const;

 private:
  std::uint64_t n_ranks() const { return ranks_ ? std::uint64_t(ranks_->size()) : 1; }

  /// Sums a batch over the ranks, except its cells. Returns its time.
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
