// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// @file
/// Detection of a machine with other work, on which threads of OpenMP wait for one another.

#include <chrono>

namespace trackplex::program {

/// Whether threads of OpenMP spin while they wait, as far as the environment decides: unless a
/// variable says how long they do.
bool waiting_threads_spin();

/// Count of how often the system has taken a core from a thread of this process for other work.
class Interruptions {
  using Clock = std::chrono::steady_clock;

 public:
  /// Returns the number since the object was made.
  long count() const { return counted() - start_count_; }
  /// Returns the number for each second since then.
  double per_second() const;
  /// Whether times suffer: an idle machine interrupts a few times a second, other work on each core
  /// more than a hundred times.
  bool are_many() const { return count() >= 20 && per_second() >= 50.; }

 private:
  static long counted();

  long start_count_ = counted();
  Clock::time_point start_ = Clock::now();
};

}  // namespace trackplex::program
