// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "simulation.hpp"

#include <trackplex/pipeline/stop_flag.hpp>

#include <cstdint>
#include <optional>

namespace coulomb {

/// When to stop, and how much to do at a time.
struct Goal {
  montecarlo::HistoryRange histories;
  double relative_error = 0.;     ///< the largest of the moments; 0: all histories
  std::uint64_t first_batch = 1;  ///< histories
  std::uint64_t batch = 0;        ///< 0: as many as are good
};

/// Why a run ended.
enum class Stop { histories, relative_error, interrupt };

/// The largest relative error of the moments of position and direction.
double relative_error(const montecarlo::MomentSums& moments);

/// Asks for batches of histories that take a fraction of a second each, until the goal is reached
/// or the user interrupts.
class Schedule {
 public:
  /// Continues from counts.
  Schedule(const Goal& goal, montecarlo::TransportCounts done,
           const trackplex::pipeline::StopFlag& interruption)
      : goal_(goal), counts_(std::move(done)), interruption_(interruption) {}

  std::optional<montecarlo::HistoryRange> next();
  void take(const Batch& batch);

  const montecarlo::TransportCounts& counts() const { return counts_; }
  Stop stop() const { return stop_; }
  double seconds() const { return seconds_; }  ///< of this run
  /// Histories, scatterings and lane steps of this run.
  std::uint64_t histories() const { return here_.histories.size(); }
  double scatterings() const {
    return here_.moments.sums[int(montecarlo::Moment::scatterings)].value();
  }
  double occupancy() const { return here_.occupancy(); }
  /// How many histories this run will do, as far as one can tell.
  std::uint64_t expected() const;

 private:
  std::uint64_t batch_size() const;

  Goal goal_;
  montecarlo::TransportCounts counts_, here_;
  const trackplex::pipeline::StopFlag& interruption_;
  std::uint64_t last_batch_ = 0;
  double last_seconds_ = 0., seconds_ = 0.;
  Stop stop_ = Stop::histories;
};

}  // namespace coulomb
