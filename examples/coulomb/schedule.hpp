// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "simulate.hpp"

#include <cstdint>
#include <functional>
#include <optional>

namespace coulomb {

/// When to stop.
struct Goal {
  montecarlo::HistoryRange histories;
  double precision = 0.;  ///< largest relative error of the moments; 0: all histories
};

/// Histories of a batch.
struct BatchSize {
  std::uint64_t first = 1;
  std::uint64_t all = 0;  ///< 0: as many as are good
};

/// Why a run ended.
enum class Stop { histories, precision, interrupt };

/// The largest relative error of the moments of position and direction.
double relative_error(const montecarlo::MomentSums& moments);

/// Numbers of histories at which the precision is looked at: 16 of them or more from each power of
/// two to the next. So a run ends at the same history however long its batches are, and wherever it
/// was interrupted.
bool is_checked(std::uint64_t histories);
std::uint64_t next_check(std::uint64_t histories);

/// Asks for batches of histories that take a fraction of a second each, until the goal is reached
/// or the user interrupts (signals INT and TERM).
class Schedule {
 public:
  /// Goes on from counts.
  Schedule(const Goal& goal, montecarlo::TransportCounts done, const BatchSize& batch);

  std::optional<montecarlo::HistoryRange> next();
  void take(const Batch& batch);

  const montecarlo::TransportCounts& counts() const { return counts_; }
  Stop stop() const { return stop_; }
  double seconds() const { return seconds_; }  ///< of this run
  /// Histories, scatterings and lane steps of this run.
  std::uint64_t histories() const { return here_.histories.size(); }
  double scatterings() const;
  double occupancy() const { return here_.occupancy(); }
  /// How many histories this run will do, as far as one can tell.
  std::uint64_t expected() const;

 private:
  std::uint64_t batch_size() const;

  Goal goal_;
  montecarlo::TransportCounts counts_, here_;
  BatchSize batch_;
  std::uint64_t last_batch_ = 0;
  double last_seconds_ = 0., seconds_ = 0.;
  Stop stop_ = Stop::histories;
};

/// While it lives, the first signal INT or TERM is only noted.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool requested();
};

}  // namespace coulomb
